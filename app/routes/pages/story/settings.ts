import { blockKinds, type BlockKind } from '#functions/shapes/block/index.ts'

/** The position on a dashboard: included in each form, so that editing does not move the block. */
export const placeNames = ['x', 'y', 'w', 'h'] as const

/** The settings of a block from its form; empty ones are omitted, except texts, and the alternative text of a decorative picture. */
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

/** A form field as a non-negative integer; undefined for anything else. */
export function positionIn(formValues: Record<string, string>): number | undefined {
  return /^\d{1,6}$/.test(formValues.position ?? '') ? Number(formValues.position) : undefined
}

/** The settings of a block that have no input but must be submitted, as text. */
export function pickHiddenSettings(settings: Record<string, unknown>): Record<string, string> {
  return Object.fromEntries(
    ['insightId', 'sourceId', ...placeNames].flatMap((name) => {
      const value = settings[name]
      return (typeof value === 'string' && value !== '') || typeof value === 'number'
        ? [[name, String(value)]]
        : []
    }),
  )
}

/** Further fields of a save: id, settings without an input, and for a new block its position. */
export function getExtraFields(block: {
  id: string
  kind: string
  version: number
  position: number
  settings: Record<string, unknown>
}): Record<string, string> {
  return {
    ...pickHiddenSettings(block.settings),
    ...(block.version === 0 ? { position: String(block.position) } : {}),
    contentId: block.id,
    kind: block.kind,
  }
}
