import { Link, useNavigate } from '@remix-run/react'
import { Clause } from './clause.tsx'
import type { Draft } from './draft.ts'

export interface BuilderDataType {
  id: string
  name: string
  category: string | null
  sources: { id: string; name: string }[]
  /** There are more sources than these. */
  hasMore: boolean
}

interface DataClauseProps {
  draft: Draft
  dataTypes: BuilderDataType[]
  isNew: boolean
  change(changes: Partial<Draft>): void
}

/** The choice of data: a data type, and all of its sources or one. Fixed for a saved insight. */
export function DataClause({ draft, dataTypes, isNew, change }: DataClauseProps) {
  const navigate = useNavigate()
  const { dataTypeId, sourceId } = draft
  const dataType = dataTypes.find(({ id }) => id === dataTypeId)
  if (!isNew) {
    const source = dataType?.sources.find(({ id }) => id === sourceId)?.name ?? sourceId
    return (
      <Clause title="Data">
        <p>
          {dataType?.name ?? dataTypeId}
          <span className="muted"> · {source ?? 'all sources'}</span>
        </p>
      </Clause>
    )
  }
  return (
    <Clause title="Data">
      <select
        aria-label="Data type"
        value={dataTypeId}
        onChange={(event) => navigate(`/insights/create?dataType=${event.target.value}`)}
      >
        {dataType ? null : <option value={dataTypeId}>{dataTypeId}</option>}
        {dataTypes.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
      <select
        aria-label="Source"
        value={sourceId ?? ''}
        onChange={(event) => change({ sourceId: event.target.value || null })}
      >
        <option value="">All sources</option>
        {(dataType?.sources ?? []).map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
      {dataType?.hasMore ? <MoreSources dataTypeId={dataType.id} /> : null}
    </Clause>
  )
}

/** The way to the sources of a data type that are not offered by name. */
export function MoreSources({ dataTypeId }: { dataTypeId: string }) {
  return (
    <p className="muted">
      There are more sources. <Link to={`/sources?dataTypeId=${dataTypeId}`}>Find one by name</Link>, open it,
      and choose “Ask a question”.
    </p>
  )
}
