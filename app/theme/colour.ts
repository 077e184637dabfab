/**
 * The place's colour. The product's constants (default #ec7945, text white or #26252e by contrast above 2.1,
 * secondary = desaturate 15, then darken 10) stay for decoration. Whatever must be read or operated uses
 * colours derived here by moving lightness only, so that WCAG AA holds for any brand colour.
 */

/** Red, green and blue, each 0–255. */
type Rgb = readonly [number, number, number]
/** Hue 0–360, saturation 0–1, lightness 0–1. */
type Hsl = readonly [number, number, number]

export type Theme = 'light' | 'dark'

export const defaultPrimary = '#ec7945'
const darkText = '#26252e'

/** The surfaces text and controls may stand on, by theme; `app/styles/tokens.css` holds the same values. */
export const surfaces: Record<Theme, readonly string[]> = {
  light: ['#fbfaf8', '#ffffff', '#f3f1ed'],
  dark: ['#17161b', '#201f26', '#121115'],
}

/** The land of maps, by theme; `functions/engine/map/tokens.ts` holds the same values. */
const mapLand: Record<Theme, string> = { light: '#eae6df', dark: '#2d2b34' }

const hexPattern = /^#([0-9a-f]{3}|[0-9a-f]{6})$/i

/** Gives the colour as lower-case #rrggbb; anything that is not #rgb or #rrggbb gives the default primary. */
export function asHex(value: unknown): string {
  if (typeof value !== 'string' || !hexPattern.test(value.trim())) return defaultPrimary
  const hex = value.trim().toLowerCase()
  return hex.length === 4 ? '#' + [...hex.slice(1)].map((c) => c + c).join('') : hex
}

function toRgb(hex: string): Rgb {
  const n = Number.parseInt(hex.slice(1), 16)
  return [n >> 16, (n >> 8) & 255, n & 255]
}

const mapRgb = ([r, g, b]: Rgb, change: (channel: number) => number): Rgb => [change(r), change(g), change(b)]

function toHsl(hex: string): Hsl {
  const [r, g, b] = mapRgb(toRgb(hex), (c) => c / 255)
  const max = Math.max(r, g, b)
  const min = Math.min(r, g, b)
  const d = max - min
  const l = (max + min) / 2
  if (d === 0) return [0, 0, l]
  const s = d / (1 - Math.abs(2 * l - 1))
  const h = max === r ? ((g - b) / d + 6) % 6 : max === g ? (b - r) / d + 2 : (r - g) / d + 4
  return [h * 60, s, l]
}

function fromHsl([h, s, l]: Hsl): string {
  const a = s * Math.min(l, 1 - l)
  const channel = (n: number) => {
    const k = (n + h / 30) % 12
    const value = l - a * Math.max(-1, Math.min(k - 3, 9 - k, 1))
    return Math.round(value * 255)
      .toString(16)
      .padStart(2, '0')
  }
  return `#${channel(0)}${channel(8)}${channel(4)}`
}

/** Gives the relative luminance of a #rrggbb colour, 0 (black) to 1 (white), as WCAG 2.2 defines it. */
function luminance(hex: string): number {
  const [r, g, b] = mapRgb(toRgb(hex), (c) => {
    const v = c / 255
    return v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

/** Gives the WCAG contrast ratio of two #rrggbb colours, 1 to 21. */
export function contrast(a: string, b: string): number {
  const [x, y] = [luminance(a), luminance(b)]
  return (Math.max(x, y) + 0.05) / (Math.min(x, y) + 0.05)
}

/** Gives the colour of decoration text: "text colour is white or #26252e by contrast above 2.1". */
export function decorationTextOn(background: string): string {
  return contrast('#ffffff', asHex(background)) > 2.1 ? '#ffffff' : darkText
}

/** Gives white or near-black, whichever reads better (always ≥ 4.5) on the background. */
export function readableOn(background: string): string {
  const hex = asHex(background)
  const dark = contrast(darkText, hex) >= 4.5 ? darkText : '#000000'
  return contrast('#ffffff', hex) >= contrast(dark, hex) ? '#ffffff' : dark
}

/** Gives the secondary colour: the primary desaturated by 15, then darkened by 10 (points of HSL). */
export function toSecondaryColour(primary: string): string {
  const [h, s, l] = toHsl(asHex(primary))
  return fromHsl([h, Math.max(0, s - 0.15), Math.max(0, l - 0.1)])
}

/**
 * Gives the colour nearest in lightness (same hue and saturation) that passes the test, or undefined when no
 * lightness does. `darkerFirst` settles ties.
 */
function findNearestLightness(hex: string, passes: (candidate: string) => boolean, darkerFirst: boolean) {
  if (passes(hex)) return hex
  const [h, s, l] = toHsl(hex)
  for (let step = 1; step <= 500; step++) {
    const d = step / 500
    for (const next of darkerFirst ? [l - d, l + d] : [l + d, l - d]) {
      if (next < 0 || next > 1) continue
      const candidate = fromHsl([h, s, next])
      if (passes(candidate)) return candidate
    }
  }
  return undefined
}

interface ThemeColours {
  /** The place's own colour, untouched: decoration only. */
  primary: string
  /** Decoration. */
  secondary: string
  /** Text in the place's colour: ≥ 4.5 on every surface of the theme. */
  primaryText: string
  /** Fills and outlines of controls: ≥ 3 on every surface of the theme. */
  primaryUi: string
  /** Text and icons on `primaryUi`: ≥ 4.5. */
  onPrimary: string
  /** Large decoration text on `primary`, by the 2.1 rule. */
  onDecoration: string
}

/** Gives the derived colours of a place for one theme; an invalid colour counts as the default. */
export function themeColours(primaryColor: unknown, theme: Theme): ThemeColours {
  const primary = asHex(primaryColor)
  const on = surfaces[theme]
  const light = theme === 'light'
  const reaches = (ratio: number) => (c: string) => on.every((surface) => contrast(c, surface) >= ratio)
  const primaryText = findNearestLightness(primary, reaches(4.5), light) ?? (light ? darkText : '#ffffff')
  const { fill, text } = controlPair(primary, theme)
  return {
    primary,
    secondary: toSecondaryColour(primary),
    primaryText,
    primaryUi: fill,
    onPrimary: text,
    onDecoration: decorationTextOn(primary),
  }
}

/** The light theme keeps the text colour the 2.1 rule would choose; the dark theme moves the colour least. */
function controlPair(primary: string, theme: Theme): { fill: string; text: string } {
  const preferred = theme === 'light' ? decorationTextOn(primary) : readableOn(primary)
  const texts = [preferred, '#ffffff', darkText, '#000000']
  for (const text of texts) {
    const passes = (c: string) =>
      contrast(c, text) >= 4.5 && surfaces[theme].every((surface) => contrast(c, surface) >= 3)
    const fill = findNearestLightness(primary, passes, text === '#ffffff')
    if (fill) return { fill, text }
  }
  return theme === 'light' ? { fill: darkText, text: '#ffffff' } : { fill: '#ffffff', text: darkText }
}

/**
 * Gives the colour of what an organization draws on its map: ≥ 3 on its land and on every surface of the
 * theme, as near to the colour that was chosen as can be.
 */
export function layerColour(chosenColour: unknown, theme: Theme): string {
  const on = [...surfaces[theme], mapLand[theme]]
  const passes = (colour: string) => on.every((surface) => contrast(colour, surface) >= 3)
  const isLight = theme === 'light'
  return findNearestLightness(asHex(chosenColour), passes, isLight) ?? (isLight ? darkText : '#ffffff')
}

function block(colours: ThemeColours, layer: string): string {
  return (
    `--primary:${colours.primary};--secondary:${colours.secondary};--primary-text:${colours.primaryText};` +
    `--primary-ui:${colours.primaryUi};--on-primary:${colours.onPrimary};` +
    `--on-primary-decoration:${colours.onDecoration};--map-layer:${layer}`
  )
}

/**
 * Gives the place's style sheet: the colours of the light theme, and of the dark theme under the same three
 * conditions as tokens.css. Contains nothing but #rrggbb values, so any input is safe to serve. `layerColor`: of its map;
 * the place's own where none was chosen.
 */
export function themeCss(primaryColor: unknown, layerColor: unknown = primaryColor): string {
  const buildThemeBlock = (theme: Theme) =>
    block(themeColours(primaryColor, theme), layerColour(layerColor, theme))
  const dark = buildThemeBlock('dark')
  return (
    `:root{${buildThemeBlock('light')}}` +
    `@media screen and (prefers-color-scheme:dark){:root:not([data-theme='light']){${dark}}}` +
    `@media screen{:root[data-theme='dark'],:root.dark-theme{${dark}}}`
  )
}
