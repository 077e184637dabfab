/** The font size of a drawing, in its units. */
export interface Lettering {
  fontSize: number
  /** For a place in which the drawing is shown at half of its size. */
  isNarrow: boolean
}

const wide: Lettering = { fontSize: 11, isNarrow: false }

/**
 * Draws labels twice, normal and larger but fewer, since at phone width they would be six pixels high. A narrow page
 * sets `--map-wide` and `--map-narrow`; elsewhere the first are shown. `isFixed`: shown in its own size, so only once.
 */
export function writeTwice(width: number, isFixed: boolean, draw: (lettering: Lettering) => string): string {
  const svg = draw(wide)
  if (isFixed) return svg
  // 11 pixels where the drawing is 350 pixels wide, as on a phone.
  const large = draw({ fontSize: Math.max(wide.fontSize, Math.round(width / 32)), isNarrow: true })
  if (svg === '' && large === '') return ''
  return `<g display="var(--map-wide,inline)">${svg}</g><g display="var(--map-narrow,none)">${large}</g>`
}
