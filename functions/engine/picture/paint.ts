import { chartTokens } from '#functions/engine/chart/palette.ts'
import { mapTokens } from '#functions/engine/map/tokens.ts'

/** How a picture is coloured; `auto` follows the reader's system and is for browsers only. */
export type PictureTheme = 'light' | 'dark' | 'auto'

const tokens = {
  light: tokensOf('light'),
  dark: tokensOf('dark'),
}

function tokensOf(theme: 'light' | 'dark'): Record<string, string> {
  const chart = chartTokens[theme]
  // Borders between regions are the colour of what the map lies on
  return { ...chart, ...mapTokens[theme], '--surface': chart['--chart-surface'] }
}

/** The colours that only maps of their author's choice have: elsewhere they would make each picture longer. */
const diverging = /^--(?:seq-orange|seq-green|div-purple)-/

const declare = (theme: 'light' | 'dark', svg: string) =>
  Object.entries(tokens[theme])
    .filter(([name]) => svg.includes(`var(${diverging.exec(name)?.[0] ?? ''}`))
    .map(([name, value]) => `${name}:${value}`)
    .join(';')

/**
 * The same SVG with the colours of a theme in the place of custom properties, as programs other than browsers need it;
 * for `auto` with a style that defines them for both. A text that reads like a property stays what it is. `own`: values of other properties.
 */
export function paintSvg(svg: string, theme: PictureTheme, own: Record<string, string> = {}): string {
  if (theme === 'auto') {
    const style = `svg{${declare('light', svg)}}@media (prefers-color-scheme:dark){svg{${declare('dark', svg)}}}`
    return svg.replace('>', `><style>${style}</style>`)
  }
  const values = { ...tokens[theme], ...own }
  const valueOf = (_all: string, name: string, otherwise?: string) =>
    values[name] ?? otherwise ?? values['--chart-text'] ?? ''
  return svg.replace(/<[^>]*>/g, (tag) => tag.replace(/var\((--[\w-]+)(?:,([^)]*))?\)/g, valueOf))
}
