import { formatNumber } from '#app/components/list/number-format.ts'
import { Link } from '@remix-run/react'
import { SelectionCheckbox } from '#app/components/list/bulk-selection.tsx'
import { Count } from '#app/components/list/time.tsx'

export interface CatalogRowProps {
  row: {
    id: string
    name: string
    category: string | null
    notes: string
    fields: number
    /** Who may change it: this organization, the operator, or another organization. */
    owner: 'own' | 'official' | 'other'
    /** Whether this organization may create a source of it. */
    isUsable: boolean
    /** The sources of this organization, and of others, that the person may see. */
    here: number
    elsewhere: number
    records: number
  }
  mayCopy: boolean
  maySource: boolean
}

const formatCount = (n: number, one: string) => `${formatNumber(n)} ${one}${n === 1 ? '' : 's'}`

/** A data type in the catalogue: description, usage, and links to use or copy it. */
export function CatalogRow({ row, mayCopy, maySource }: CatalogRowProps) {
  const { id, name, category, notes, fields, owner, here, elsewhere, records } = row
  return (
    <li className="list-item">
      {owner === 'own' ? <SelectionCheckbox id={id} name={name} /> : null}
      <div className="list-main">
        <p className="list-title">
          <Link to={`/types/${id}`}>{name}</Link>
        </p>
        <p className="list-note truncate">
          {[category, formatCount(fields, 'field'), notes].filter(Boolean).join(' · ')}
        </p>
      </div>
      <div className="list-meta">
        <span>
          {here
            ? formatCount(here, 'source')
            : elsewhere
              ? `${formatCount(elsewhere, 'source')} of others`
              : 'no sources'}
        </span>
        <span>
          <Count n={records} /> records
        </span>
        <span className="badge">
          {owner === 'official' ? 'Official' : owner === 'own' ? 'Ours' : 'Of others'}
        </span>
      </div>
      <div className="list-actions">
        {maySource ? (
          <Link className="button is-small is-quiet" to={`/sources/create?dataType=${id}`}>
            Use<span className="sr-only"> {name} for a new source</span>
          </Link>
        ) : null}
        {mayCopy ? (
          <Link className="button is-small is-quiet" to={`/types/create?from=${id}`}>
            Copy<span className="sr-only"> {name}</span>
          </Link>
        ) : null}
      </div>
    </li>
  )
}
