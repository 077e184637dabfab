import type { Draft } from './draft.ts'
import { joinIn, targetOf, type JoinTarget } from './join-target.ts'

/** So many values of a field are suggested. */
const limit = 50

/**
 * Gives the function that gives the most frequent values of a field, of the data that a draft asks, or of what it joins
 * for a field of a join; each field is asked once.
 */
export function suggester(
  { placeId, dataTypeId, sourceId }: Pick<Draft, 'dataTypeId' | 'sourceId'> & { placeId: string },
  joins: readonly unknown[] = [],
): (path: string) => Promise<string[]> {
  const suggestionsByPath = new Map<string, Promise<string[]>>()
  const own: JoinTarget = sourceId === null ? { dataTypeId } : { sourceId }
  const ask = async (path: string) => {
    const { api } = await import('#app/client/api/index.ts')
    const [, alias, of] = /^~([^.]+)\.(.+)$/.exec(path) ?? []
    const join = joins.map(joinIn).find((each) => each?.alias === alias)
    const target = join ? targetOf(join) : own
    const options = { field: [of ?? path], limit }
    const { place } = api()
    const answer =
      'sourceId' in target
        ? await place.source.values({ placeId, ...target, options })
        : await place.dataType.values({ placeId, ...target, options })
    const values = 'results' in answer && Array.isArray(answer.results) ? answer.results : []
    return values.flatMap((each) => {
      const { value } = each as { value: string | number | boolean | null }
      return value === null ? [] : String(value)
    })
  }
  return (path) => {
    const before = suggestionsByPath.get(path)
    if (before) return before
    const pending = ask(path)
    suggestionsByPath.set(path, pending)
    // What failed may be asked again
    pending.catch(() => suggestionsByPath.delete(path))
    return pending
  }
}
