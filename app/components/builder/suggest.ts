import type { Draft } from './draft.ts'
import { parseJoinItem, getJoinTarget, type JoinTarget } from './join-target.ts'

/** Maximum number of suggested values. */
const limit = 50

/** Creates a function that loads the most frequent values of a field, from the data of a draft or of its joins; cached per field. */
export function suggester(
  { placeId, dataTypeId, sourceId }: Pick<Draft, 'dataTypeId' | 'sourceId'> & { placeId: string },
  joins: readonly unknown[] = [],
): (path: string) => Promise<string[]> {
  const suggestionsByPath = new Map<string, Promise<string[]>>()
  const own: JoinTarget = sourceId === null ? { dataTypeId } : { sourceId }
  const ask = async (path: string) => {
    const { api } = await import('#app/client/api/index.ts')
    const [, alias, of] = /^~([^.]+)\.(.+)$/.exec(path) ?? []
    const join = joins.map(parseJoinItem).find((each) => each?.alias === alias)
    const target = join ? getJoinTarget(join) : own
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
    // After a failure it is loaded again.
    pending.catch(() => suggestionsByPath.delete(path))
    return pending
  }
}
