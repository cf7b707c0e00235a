/** The colour of an element's text as red, green and blue: libraries that draw by themselves know no other form of it. */
export function plainColour(element: Element): string {
  const pen = document.createElement("canvas").getContext("2d");
  if (pen === null) return "";
  pen.fillStyle = getComputedStyle(element).color;
  pen.fillRect(0, 0, 1, 1);
  const [red, green, blue] = pen.getImageData(0, 0, 1, 1).data;
  return `rgb(${red}, ${green}, ${blue})`;
}

/** Whether this browser can draw a map at all. */
export function canDrawWorld(): boolean {
  const context = document.createElement("canvas").getContext("webgl2");
  // A browser has few of them at a time.
  context?.getExtension("WEBGL_lose_context")?.loseContext();
  return context !== null;
}
