import { Form, Link } from '@remix-run/react'
import { EmptyState } from '../state/empty-state.tsx'

export interface DeletedRow {
  id: string
  name: string
  /** Its kind. */
  note: string
}

/** Items deleted in the last 30 days, each with a restore button: a form with the intent `restore` and its `id`. */
export function DeletedList({ rows }: { rows: readonly DeletedRow[] }) {
  if (!rows.length)
    return (
      <EmptyState title="Nothing was deleted" text="What is deleted can be brought back here for 30 days." />
    )
  return (
    <ul className="list">
      {rows.map(({ id, name, note }) => (
        <li key={id} className="list-item">
          <div className="list-main">
            <p className="list-title">{name}</p>
            <p className="list-note">{note}, deleted in the last 30 days</p>
          </div>
          <Form method="post" className="list-actions" preventScrollReset>
            <input type="hidden" name="id" value={id} />
            <button className="button is-small" name="intent" value="restore">
              Bring back<span className="sr-only"> {name}</span>
            </button>
          </Form>
        </li>
      ))}
    </ul>
  )
}

/** The link to deleted items and back, at the end of a list's bar. `noun`: in the plural. */
export function DeletedSwitch({ noun, isDeleted }: { noun: string; isDeleted: boolean }) {
  return (
    <>
      {isDeleted ? <input type="hidden" name="deleted" value="true" /> : null}
      <Link className="button is-quiet" to={isDeleted ? '?' : '?deleted=true'}>
        {isDeleted ? `Back to the ${noun}` : `Deleted ${noun}`}
      </Link>
    </>
  )
}
