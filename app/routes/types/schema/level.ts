import type { Issue } from '#functions/shapes/issue.ts'
import { innermost, withInnermost, type FieldDraft } from '#app/components/schema/draft.ts'

/** One step down: the map, or the list of maps, that was opened. */
export interface Step {
  id: string
  name: string
}

/** The fields of a map that is open in the editor, and where they stand in the document. */
export interface Level {
  fields: FieldDraft[]
  /** The maps that were opened to come here, the outermost first. */
  steps: Step[]
  path: string[]
}

/** Walks down the maps that were opened. Those that are gone, or are maps no more, end the way. */
export function levelAt(fields: FieldDraft[], opened: readonly string[]): Level {
  const level: Level = { fields, steps: [], path: ['schema'] }
  for (const id of opened) {
    const field = level.fields.find((each) => each.id === id)
    const inner = field && innermost(field)
    if (!field || inner?.type !== 'object') break
    level.steps.push({ id, name: field.name || field.key || 'Map' })
    level.path.push(field.key, ...itemsOf(field), 'schema')
    level.fields = inner.fields
  }
  return level
}

const itemsOf = (field: FieldDraft): string[] =>
  field.type === 'array' && field.items ? ['items', ...itemsOf(field.items)] : []

/** All fields, with those of one level changed. */
export function withLevel(
  fields: FieldDraft[],
  [id, ...further]: readonly string[],
  change: (fields: FieldDraft[]) => FieldDraft[],
): FieldDraft[] {
  if (id === undefined) return change(fields)
  return fields.map((field) =>
    field.id === id
      ? withInnermost(field, (inner) => ({ ...inner, fields: withLevel(inner.fields, further, change) }))
      : field,
  )
}

/** The issues at or below a path, as seen from there. */
export function issuesBelow(issues: readonly Issue[], path: readonly (string | number)[]): Issue[] {
  return issues.filter((issue) => path.every((part, i) => String(issue.path[i]) === String(part)))
}
