import { Link } from '@remix-run/react'
import type { ReactNode } from 'react'
import { SelectionCheckbox } from './bulk-selection.tsx'

interface ListItemProps {
  to: string
  title: ReactNode
  /** Id and name, if it can be selected. */
  choice?: { id: string; name: string }
  note?: ReactNode
  /** Badges and facts at the end of the row. */
  meta?: ReactNode
}

/** A row of a list, which is a link as a whole. A URL with a host leaves the workspace. */
export function ListItem({ to, title, choice, note, meta }: ListItemProps) {
  return (
    <li className="list-item">
      {choice ? <SelectionCheckbox {...choice} /> : null}
      <div className="list-main">
        <p className="list-title">
          {to.startsWith('/') ? <Link to={to}>{title}</Link> : <a href={to}>{title}</a>}
        </p>
        {note ? <p className="list-note truncate">{note}</p> : null}
      </div>
      {meta ? <div className="list-meta">{meta}</div> : null}
    </li>
  )
}
