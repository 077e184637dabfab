import { lazy, Suspense, useState } from 'react'
import { Clause, RemoveButton } from '#app/components/builder/clause.tsx'
import type { BuilderDataType } from '#app/components/builder/data-clause.tsx'
import { joinLabel, maxJoins, targetIn, withJoins } from '#app/components/builder/join-target.ts'
import { useLanguage } from '#app/components/builder/language.ts'
import { changeClauses, type Clauses } from '#app/components/builder/query-model.ts'
import type { FieldLoader, JoinedFields } from './use-joined.ts'
import type { BuilderField } from '#app/components/builder/values.ts'

export interface JoinClauseProps {
  clauses: Clauses
  dataTypes: BuilderDataType[]
  /** The fields of the query itself, without those of joins. */
  own: BuilderField[]
  joined: JoinedFields
  loadFields: FieldLoader
  onChange(clauses: Clauses, tag?: string): void
}

/** Most queries have no joins, so their editor is loaded with the first one. */
const JoinedData = lazy(async () => ({ default: (await import('./joined-data.tsx')).JoinedData }))

/** Joins with other data: which, on what conditions, and which records count. */
export function JoinClause({ clauses, dataTypes, own, joined, loadFields, onChange }: JoinClauseProps) {
  const { issues } = useLanguage()
  const [waiting, setWaiting] = useState('')
  const joins = Array.isArray(clauses.joins) ? (clauses.joins as unknown[]) : []
  const joinsIssues = issues.filter(({ path }) => path[0] === 'joins' && path.length === 1)
  const isDrawn = clauses.joins === undefined || Array.isArray(clauses.joins)
  const add = async (key: string) => {
    const target = targetIn(key)
    if (!target) return
    const name = joinLabel(target, dataTypes)
    setWaiting(`Looking at the fields of ${name}…`)
    try {
      const [{ newJoin }, theirs] = await Promise.all([import('./join-model.ts'), loadFields(target)])
      onChange(withJoins(clauses, [...joins, newJoin(target, name, joins, theirs, own)]))
      setWaiting('')
    } catch {
      setWaiting(`The fields of ${name} cannot be had just now. Try again.`)
    }
  }
  return (
    <Clause title="Join" messages={joinsIssues.map(({ message }) => message)}>
      {isDrawn ? null : (
        <div className="row">
          <code className="code kept-json">{JSON.stringify(clauses.joins)}</code>
          <RemoveButton what="joins" onPress={() => onChange(changeClauses(clauses, { joins: undefined }))} />
        </div>
      )}
      {joins.length ? (
        <Suspense fallback={<div className="skeleton is-block" />}>
          <JoinedData {...{ clauses, joins, dataTypes, own, joined, onChange }} />
        </Suspense>
      ) : null}
      {joins.length < maxJoins && isDrawn ? (
        <select
          aria-label="Join other data"
          className="clause-add"
          value=""
          onChange={(event) => void add(event.target.value)}
        >
          <option value="">Join other data…</option>
          {dataTypes.map(({ id, name, sources, hasMore }) => (
            <optgroup key={id} label={name}>
              <option value={`dataType:${id}`}>{name}: all sources</option>
              {sources.map((source) => (
                <option key={source.id} value={`source:${source.id}`}>
                  {source.name}
                </option>
              ))}
              {hasMore ? <option disabled>More sources are not offered here</option> : null}
            </optgroup>
          ))}
        </select>
      ) : null}
      <p className={waiting ? 'muted' : 'sr-only'} role="status">
        {waiting}
      </p>
    </Clause>
  )
}
