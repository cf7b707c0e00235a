/** One word for each value of a byte. */
export function wordOf(byte: number): string {
  return list[byte] as string;
}

/** Never changed: two versions have to say the same. Short, and hard to mistake for each other when read out. */
const list = `
acid aged also arch army atom aunt away axis baby back bake ball band bank barn
base bath bead beam bean bear beat bell belt bend bike bird blue boat body bold
bone book boot bowl brow bulb bush cake calm camp cane cape card cart case cash
cave chef chin city clay clip club coal coat code coin cold comb cook cool copy
cord cork corn cube curl dark dart dawn deck deep deer desk dice diet dish dock
doll dome door dove drum duck dune dust east easy echo edge exit face fact fair
fall farm fern film fire fish five flag flat foam fork frog fuel game gate gift
glad glue goat gold golf good gown gray grid grip gulf hair half hall hand harp
hawk heat herb hero hill hive home hood hook hope horn host huge iron item jade
jazz joke jump june jury keen keep kite knee knot lace lady lake lamb lamp lane
lava lawn leaf lens lime line lion list lock loft lung mail mall mask math maze
meal menu milk mill mint moon moss moth mule myth nail navy near neck nest news
nine node noon note nova oath oval oven pace page palm park path peak pear pier
pine pink plum poem pond pony pool port post pure quiz race rain ramp reef rice
ring road robe rock roof rope rose ruby rule safe sage sail salt sand seal seed
ship shoe silk skin slow snow soap sofa soil song soup spin star stem swan tail
`
  .trim()
  .split(/\s/);
