import type { EditorBlock } from './blocks.ts'

type Part = Pick<EditorBlock, 'id' | 'kind' | 'settings'>
type State = { title: string; description: string; author: string }

/** The differences between an older version and the current page. */
export type PartStatus = 'same' | 'changed' | 'gone'

export interface Comparison {
  /** The state of each content of the older version, by id. */
  standings: Record<string, PartStatus>
  /** The number of contents that only the current page has. */
  addedCount: number
  /** Whether common contents are in another order. */
  isMoved: boolean
  isTitled: boolean
  /** Whether the page is equal to the version. */
  isNow: boolean
}

/** Compares an older version with the current page. Settings are compared as normalized by the database, with sorted keys. */
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
  const listCommonIds = (parts: readonly Part[]) =>
    parts.filter(({ id }) => isOld.has(id) && byId.has(id)).map(({ id }) => id)
  const isMoved = listCommonIds(old.contents).join() !== listCommonIds(now.contents).join()
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

/** The effects of restoring an older version, in sentences; empty if it equals the page. */
export function describeRestore({ standings, addedCount, isMoved, isTitled }: Comparison): string[] {
  const count = (partStatus: PartStatus) =>
    Object.values(standings).filter((each) => each === partStatus).length
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
