import { blockKinds, type BlockKind } from '#functions/shapes/block/index.ts'

/** Where a block stands on a dashboard: its form brings it along, so that writing does not move it. */
export const placeNames = ['x', 'y', 'w', 'h'] as const

/**
 * Gives the settings of a block as its form says them; what is empty is left out, but a text may be empty, and the alt text
 * of a picture that is marked as decoration is.
 */
export function settingsFrom(
  kind: string,
  formValues: Record<string, string>,
): Record<string, string | number | boolean> {
  const names = Object.hasOwn(blockKinds, kind) ? blockKinds[kind as BlockKind].written : []
  const texts = names.flatMap((name): [string, string | boolean][] => {
    const value = formValues[name]
    if (name === 'beside') return value === 'on' ? [[name, true]] : []
    if (name === 'alt' && formValues.isDecoration === 'on') return [[name, '']]
    return value !== undefined && (value.trim() !== '' || name === 'html') ? [[name, value]] : []
  })
  const place = placeNames.flatMap((name): [string, number][] =>
    /^\d{1,4}$/.test(formValues[name] ?? '') ? [[name, Number(formValues[name])]] : [],
  )
  return Object.fromEntries<string | number | boolean>([...texts, ...place])
}

/** Gives a form field as a whole number of 0 or more; undefined for anything else. */
export function positionIn(formValues: Record<string, string>): number | undefined {
  return /^\d{1,6}$/.test(formValues.position ?? '') ? Number(formValues.position) : undefined
}

/** What of a block's settings no form shows but every form must bring along, as text. */
export function keptOf(settings: Record<string, unknown>): Record<string, string> {
  return Object.fromEntries(
    ['insightId', 'sourceId', ...placeNames].flatMap((name) => {
      const value = settings[name]
      return (typeof value === 'string' && value !== '') || typeof value === 'number'
        ? [[name, String(value)]]
        : []
    }),
  )
}

/** What is sent with the words of a block: which it is, what no form shows, and, of one that is made, where it stands. */
export function besideOf(block: {
  id: string
  kind: string
  version: number
  position: number
  settings: Record<string, unknown>
}): Record<string, string> {
  return {
    ...keptOf(block.settings),
    ...(block.version === 0 ? { position: String(block.position) } : {}),
    contentId: block.id,
    kind: block.kind,
  }
}
