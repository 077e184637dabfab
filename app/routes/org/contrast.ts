import { asHex, contrast, surfaces, themeColours, type Theme } from '#app/theme/colour.ts'

/** A use of the place's colour: its contrast, and the minimum of WCAG 2.2 AA. */
export interface Check {
  name: string
  ratio: number
  required: number
  /** Whether the colour's lightness had to be adjusted. */
  isMoved: boolean
}

const worst = (colour: string, theme: Theme) =>
  Math.min(...surfaces[theme].map((surface) => contrast(colour, surface)))

/** The contrast of text and controls in the place's colour, on the least favourable surface of a theme. */
export function checkContrast(colour: string, theme: Theme): Check[] {
  const hex = asHex(colour)
  const { primaryText, primaryUi, onPrimary } = themeColours(hex, theme)
  return [
    { name: 'Links', ratio: worst(primaryText, theme), required: 4.5, isMoved: primaryText !== hex },
    { name: 'Controls', ratio: worst(primaryUi, theme), required: 3, isMoved: primaryUi !== hex },
    { name: 'Text on buttons', ratio: contrast(onPrimary, primaryUi), required: 4.5, isMoved: false },
  ]
}

/** A sentence about how far the colour must be adjusted to be readable; null if it is readable in both themes. */
export function adviceOn(colour: string): string | null {
  const themes = (['light', 'dark'] as const).filter((theme) =>
    checkContrast(colour, theme).some((c) => c.isMoved),
  )
  if (!themes.length) return null
  const where = themes.length === 2 ? 'both themes' : `the ${themes[0]} theme`
  return `As it is, this colour is hard to read in ${where}. Links and buttons there take the nearest shade that can be read; bands and signs keep your colour.`
}
