import { useEffect, useMemo, useRef, useState } from 'react'
import {
  prefixJoinFields,
  parseJoinItem,
  targetKey,
  getJoinTarget,
  type JoinTarget,
} from '#app/components/builder/join-target.ts'
import type { BuilderField } from '#app/components/builder/values.ts'

/** Loads the fields of joined data, cached. */
export type FieldLoader = (target: JoinTarget) => Promise<BuilderField[]>

/** Loads fields from the API. Rejects with the API's message. */
export function fieldAsker(placeId: string): FieldLoader {
  const fieldsByTarget = new Map<string, Promise<BuilderField[]>>()
  const ask = async (target: JoinTarget) => {
    const { api } = await import('#app/client/api/index.ts')
    const { place } = api()
    const answer =
      'sourceId' in target
        ? await place.source.fields({ placeId, sourceId: target.sourceId })
        : await place.dataType.fields({ placeId, dataTypeId: target.dataTypeId })
    return answer.results.map(({ field, name, type, items }) => ({
      ...{ field, name, type },
      ...(items ? { items: { type: items.type } } : {}),
    }))
  }
  return (target) => {
    const key = targetKey(target)
    const pending = fieldsByTarget.get(key) ?? ask(target)
    fieldsByTarget.set(key, pending)
    // After a failure they are loaded again.
    pending.catch(() => fieldsByTarget.delete(key))
    return pending
  }
}

/** The fields of each editable join, by alias; null while loading or after a failure. */
export type JoinedFields = Record<string, { fields: BuilderField[] | null; failure: string | null }>

/** The fields of a query's joins, loaded as joins are added. */
export function useJoined(joins: readonly unknown[], loadFields: FieldLoader): JoinedFields {
  const [loaded, setLoaded] = useState<Record<string, BuilderField[] | string>>({})
  const parsedJoins = useMemo(() => joins.flatMap((part) => parseJoinItem(part) ?? []), [joins])
  const now = useRef(parsedJoins)
  now.current = parsedJoins
  const keys = parsedJoins.map((join) => targetKey(getJoinTarget(join))).join(' ')
  useEffect(() => {
    let isGone = false
    for (const join of now.current) {
      const target = getJoinTarget(join)
      const storeResult = (result: BuilderField[] | string) => {
        if (!isGone) setLoaded((before) => ({ ...before, [targetKey(target)]: result }))
      }
      loadFields(target).then(storeResult, () =>
        storeResult('Its fields cannot be had: it is not there, or you may not see it.'),
      )
    }
    return () => {
      isGone = true
    }
    // Depends only on the joined data, not on other changes of the joins.
  }, [keys, loadFields])
  return useMemo(
    () =>
      Object.fromEntries(
        parsedJoins.map((join) => {
          const loadResult = loaded[targetKey(getJoinTarget(join))]
          const fields = Array.isArray(loadResult) ? loadResult : null
          return [join.alias, { fields, failure: typeof loadResult === 'string' ? loadResult : null }]
        }),
      ),
    [parsedJoins, loaded],
  )
}

/** The fields of a query including those of its joins, with prefixed labels. */
export function listQueryFields(
  own: BuilderField[],
  joins: readonly unknown[],
  joined: JoinedFields,
  getTargetLabel: (target: JoinTarget) => string,
): BuilderField[] {
  const theirs = joins.flatMap((part) => {
    const join = parseJoinItem(part)
    const fields = join && joined[join.alias]?.fields
    return join && fields ? prefixJoinFields(join.alias, getTargetLabel(getJoinTarget(join)), fields) : []
  })
  return theirs.length ? [...own, ...theirs] : own
}
