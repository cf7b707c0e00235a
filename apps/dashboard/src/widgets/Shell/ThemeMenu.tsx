import { Monitor, Moon, Sun } from "lucide-react";
import { IconButton } from "../../ui/IconButton.tsx";
import { Menu } from "../../ui/Menu.tsx";
import { chooseTheme, themes, themeWords, useTheme } from "../Theme/theme.ts";

const icons = { light: Sun, dark: Moon, system: Monitor } as const;

export function ThemeMenu() {
  const theme = useTheme();
  const Icon = icons[theme];
  const items = themes.map((one) => ({
    key: one,
    label: themeWords[one],
    chosen: one === theme,
    onSelect: () => chooseTheme(one),
  }));
  return (
    <Menu
      trigger={<IconButton label={`Theme: ${themeWords[theme]}`} icon={<Icon size={16} aria-hidden="true" />} />}
      groups={[{ key: "theme", label: "Theme", items }]}
    />
  );
}
