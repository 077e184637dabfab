import { chartTokens } from '#functions/engine/chart/palette.ts'
import { mapTokens } from '#functions/engine/map/tokens.ts'

/** How a picture is coloured; `auto` follows the reader's system and is for browsers only. */
export type PictureTheme = 'light' | 'dark' | 'auto'

const tokens = {
  light: getThemeTokens('light'),
  dark: getThemeTokens('dark'),
}

function getThemeTokens(theme: 'light' | 'dark'): Record<string, string> {
  const chart = chartTokens[theme]
  // Borders between regions are the colour of what the map lies on
  return { ...chart, ...mapTokens[theme], '--surface': chart['--chart-surface'] }
}

/** Colours that only custom palettes use: defining them elsewhere would only enlarge the picture. */
const diverging = /^--(?:seq-orange|seq-green|div-purple)-/

const declare = (theme: 'light' | 'dark', svg: string) =>
  Object.entries(tokens[theme])
    .filter(([name]) => svg.includes(`var(${diverging.exec(name)?.[0] ?? ''}`))
    .map(([name, value]) => `${name}:${value}`)
    .join(';')

/**
 * Replaces custom properties in an SVG by the colours of a theme, for programs other than browsers; for `auto`, which
 * is for browsers, adds a style that defines them for both and fits the drawing into a narrow frame. Text that looks like a property is unchanged. `own`: values of other properties.
 */
export function paintSvg(svg: string, theme: PictureTheme, own: Record<string, string> = {}): string {
  if (theme === 'auto') {
    const style =
      `svg{${declare('light', svg)}}@media (prefers-color-scheme:dark){svg{${declare('dark', svg)}}}` +
      // In a frame that is narrower than the drawing a browser would show only its left part.
      'svg:root{max-width:100%;height:auto}'
    return svg.replace('>', `><style>${style}</style>`)
  }
  const values = { ...tokens[theme], ...own }
  const getTokenValue = (_all: string, name: string, otherwise?: string) =>
    values[name] ?? otherwise ?? values['--chart-text'] ?? ''
  return svg.replace(/<[^>]*>/g, (tag) => tag.replace(/var\((--[\w-]+)(?:,([^)]*))?\)/g, getTokenValue))
}
