import { visibilityLevels, type Visibility } from '#app/components/list/badges.tsx'
import type { BulkAction } from '#app/components/list/bulk-actions.ts'
import { tagsIn, withTags, withoutTags } from '#functions/shapes/tags.ts'

/** A selected row. */
export interface ChosenRow {
  id: string
  name: string
  to: string
  version: number
  /** Differs after every change of the row or its parts. */
  mark: string
  visibility: Visibility | null
  publish: 'draft' | 'published' | null
  tags: readonly string[]
  /** Known obstacles by action. */
  obstacles: Partial<Record<BulkAction, string>>
}

/** The effect on a row: none if it is in that state already (`data` null), or because of `why`. `before` reverts it. */
export interface Plan {
  id: string
  name: string
  to: string
  version: number
  mark: string
  now: string
  then: string
  why: string | null
  data: Record<string, unknown> | null
  before: Record<string, unknown>
}

const getVisibilityLabel = (visibility: Visibility | null) =>
  visibilityLevels.find(({ value }) => value === visibility)?.label ?? ''
const formatTags = (tags: readonly string[]) => (tags.length ? tags.join(', ') : 'No tags')
const pageWords = { published: 'Published', draft: 'Draft' }

/** The effect of an action on each row. `tags`: those to add or remove, separated by commas. */
export function planBulkAction(action: BulkAction, rows: readonly ChosenRow[], tags = ''): Plan[] {
  return rows.map((row) => {
    const { id, name, to, version, mark } = row
    const change = computeRowChange(action, row, tagsIn(tags))
    const why = change.data === null ? null : (row.obstacles[action] ?? null)
    return { id, name, to, version, mark, ...change, why }
  })
}

function computeRowChange(action: BulkAction, row: ChosenRow, tags: string[]) {
  switch (action) {
    case 'delete':
      return { now: describeRowState(row), then: 'Deleted', data: {}, before: {} }
    case 'publish':
    case 'draft': {
      const publish = action === 'publish' ? 'published' : 'draft'
      const now = row.publish === null ? '' : pageWords[row.publish]
      // Publishing has its own endpoint, without a body.
      const data = row.publish === publish ? null : action === 'publish' ? {} : { publish }
      return { now, then: pageWords[publish], data, before: action === 'publish' ? { publish: 'draft' } : {} }
    }
    case 'tag':
    case 'untag': {
      const then = action === 'tag' ? withTags(row.tags, tags) : withoutTags(row.tags, tags)
      const data = then.length === row.tags.length ? null : { tags: then }
      return { now: formatTags(row.tags), then: formatTags(then), data, before: { tags: row.tags } }
    }
    default: {
      const data = row.visibility === action ? null : { visibility: action }
      return {
        now: getVisibilityLabel(row.visibility),
        then: getVisibilityLabel(action),
        data,
        before: { visibility: row.visibility },
      }
    }
  }
}

const describeRowState = ({ visibility, publish }: ChosenRow) =>
  [publish === null ? '' : pageWords[publish], getVisibilityLabel(visibility)].filter(Boolean).join(', ')

/** The rows that will change: not in that state already, and without obstacles. */
export const changing = (plans: readonly Plan[]) =>
  plans.filter(({ data, why }) => data !== null && why === null)

/** Whether an action hides things from people who see them now, so that their uses matter. */
export const hides = (action: BulkAction) => ['place', 'private', 'draft', 'delete'].includes(action)
