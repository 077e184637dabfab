import type { Issue } from '#functions/shapes/issue.ts'
import { innermost, withInnermost, type FieldDraft } from '#app/components/schema/draft.ts'

/** An opened map, or list of maps. */
export interface Step {
  id: string
  name: string
}

/** The open level of the editor: its fields, and their path in the document. */
export interface Level {
  fields: FieldDraft[]
  /** The opened maps, outermost first. */
  steps: Step[]
  path: string[]
}

/** Follows the opened maps. Stops at the first that was removed or is no longer a map. */
export function levelAt(fields: FieldDraft[], openIds: readonly string[]): Level {
  const level: Level = { fields, steps: [], path: ['schema'] }
  for (const id of openIds) {
    const field = level.fields.find((each) => each.id === id)
    const inner = field && innermost(field)
    if (!field || inner?.type !== 'object') break
    level.steps.push({ id, name: field.name || field.key || 'Map' })
    level.path.push(field.key, ...getItemsPath(field), 'schema')
    level.fields = inner.fields
  }
  return level
}

const getItemsPath = (field: FieldDraft): string[] =>
  field.type === 'array' && field.items ? ['items', ...getItemsPath(field.items)] : []

/** Returns all fields after a change of one level. */
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

/** Returns the issues at or below a path, with their full paths. */
export function issuesBelow(issues: readonly Issue[], path: readonly (string | number)[]): Issue[] {
  return issues.filter((issue) => path.every((part, i) => String(issue.path[i]) === String(part)))
}
