import { visibilityLevels, type Visibility } from '#app/components/list/badges.tsx'
import type { ManyAction } from '#app/components/list/many.ts'
import { tagsIn, withTags, withoutTags } from '#functions/shapes/tags.ts'

/** One of those chosen, as far as it matters. */
export interface ChosenRow {
  id: string
  name: string
  to: string
  version: number
  /** Another one after every change of it, or of what it is made of. */
  mark: string
  visibility: Visibility | null
  publish: 'draft' | 'published' | null
  tags: readonly string[]
  /** Why it cannot be done, by what is wanted; what is not there is only known when it is tried. */
  obstacles: Partial<Record<ManyAction, string>>
}

/** What becomes of one: nothing where it is so already (`data` null), or because of `why`. `before` brings it back. */
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

const labelOf = (visibility: Visibility | null) =>
  visibilityLevels.find(({ value }) => value === visibility)?.label ?? ''
const listed = (tags: readonly string[]) => (tags.length ? tags.join(', ') : 'No tags')
const pageWords = { published: 'Published', draft: 'Draft' }

/** What an action makes of each row. `tags`: those that are added or taken away, with commas between them. */
export function planOf(action: ManyAction, rows: readonly ChosenRow[], tags = ''): Plan[] {
  return rows.map((row) => {
    const { id, name, to, version, mark } = row
    const change = changeOf(action, row, tagsIn(tags))
    const why = change.data === null ? null : (row.obstacles[action] ?? null)
    return { id, name, to, version, mark, ...change, why }
  })
}

function changeOf(action: ManyAction, row: ChosenRow, tags: string[]) {
  switch (action) {
    case 'delete':
      return { now: stateOf(row), then: 'Deleted', data: {}, before: {} }
    case 'publish':
    case 'draft': {
      const publish = action === 'publish' ? 'published' : 'draft'
      const now = row.publish === null ? '' : pageWords[row.publish]
      // What publishes has an endpoint of its own, which is told nothing more.
      const data = row.publish === publish ? null : action === 'publish' ? {} : { publish }
      return { now, then: pageWords[publish], data, before: action === 'publish' ? { publish: 'draft' } : {} }
    }
    case 'tag':
    case 'untag': {
      const then = action === 'tag' ? withTags(row.tags, tags) : withoutTags(row.tags, tags)
      const data = then.length === row.tags.length ? null : { tags: then }
      return { now: listed(row.tags), then: listed(then), data, before: { tags: row.tags } }
    }
    default: {
      const data = row.visibility === action ? null : { visibility: action }
      return {
        now: labelOf(row.visibility),
        then: labelOf(action),
        data,
        before: { visibility: row.visibility },
      }
    }
  }
}

const stateOf = ({ visibility, publish }: ChosenRow) =>
  [publish === null ? '' : pageWords[publish], labelOf(visibility)].filter(Boolean).join(', ')

/** Those that are changed: not so already, and nothing stands against it. */
export const changing = (plans: readonly Plan[]) =>
  plans.filter(({ data, why }) => data !== null && why === null)

/** Whether an action hides things from people who see them now, so that it matters where they are shown. */
export const hides = (action: ManyAction) => ['place', 'private', 'draft', 'delete'].includes(action)
