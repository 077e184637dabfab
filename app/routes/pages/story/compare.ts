import type { EditorBlock } from './blocks.ts'

type Part = Pick<EditorBlock, 'id' | 'kind' | 'settings'>
type State = { title: string; description: string; author: string }

/** How a part of an older version stands to the page as it is now. */
export type PartStatus = 'same' | 'changed' | 'gone'

export interface Comparison {
  /** Of each part of the older version, by its id. */
  standings: Record<string, PartStatus>
  /** How many parts the page has now that the older version has not. */
  addedCount: number
  /** Whether the parts that both have stand in another order. */
  isMoved: boolean
  isTitled: boolean
  /** Whether the page says exactly this now. */
  isNow: boolean
}

/**
 * What differs between an older version of a page and the page now. Settings are compared as the database writes them,
 * where equal ones have their keys in one order.
 */
export function compare(
  old: State & { contents: readonly Part[] },
  now: State & { contents: readonly Part[] },
): Comparison {
  const byId = new Map(now.contents.map((part) => [part.id, part]))
  const standings = Object.fromEntries(
    old.contents.map((part): [string, PartStatus] => {
      const current = byId.get(part.id)
      if (!current) return [part.id, 'gone']
      return [
        part.id,
        JSON.stringify(current.settings) === JSON.stringify(part.settings) ? 'same' : 'changed',
      ]
    }),
  )
  const isOld = new Set(old.contents.map(({ id }) => id))
  const addedCount = now.contents.filter(({ id }) => !isOld.has(id)).length
  const orderOf = (parts: readonly Part[]) =>
    parts.filter(({ id }) => isOld.has(id) && byId.has(id)).map(({ id }) => id)
  const isMoved = orderOf(old.contents).join() !== orderOf(now.contents).join()
  const isTitled = old.title !== now.title || old.description !== now.description || old.author !== now.author
  const isSame = Object.values(standings).every((state) => state === 'same')
  return {
    standings,
    addedCount,
    isMoved,
    isTitled,
    isNow: isSame && addedCount === 0 && !isMoved && !isTitled,
  }
}

/** What restoring an older version would do, in sentences; none where it is what the page says. */
export function describeRestore({ standings, addedCount, isMoved, isTitled }: Comparison): string[] {
  const count = (wanted: PartStatus) => Object.values(standings).filter((each) => each === wanted).length
  const parts = (n: number) => (n === 1 ? 'One part' : `${n} parts`)
  return [
    ...(isTitled ? ['Title, description or author differ from now.'] : []),
    ...(count('changed')
      ? [`${parts(count('changed'))} differ${count('changed') === 1 ? 's' : ''} from now.`]
      : []),
    ...(count('gone') ? [`${parts(count('gone'))} would come back.`] : []),
    ...(addedCount ? [`${parts(addedCount)} of the page now would go.`] : []),
    ...(isMoved ? ['The order differs from now.'] : []),
  ]
}
