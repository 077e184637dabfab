import { Link } from '@remix-run/react'
import type { ReactNode } from 'react'
import { ChoosingBox } from './choosing.tsx'

interface ListItemProps {
  to: string
  title: ReactNode
  /** Its id and name, where it can be chosen with others. */
  choice?: { id: string; name: string }
  note?: ReactNode
  /** Signs and facts at the end of the row. */
  meta?: ReactNode
}

/** A row of a list; the whole of it leads where its title leads. An address with a host leaves the workspace. */
export function ListItem({ to, title, choice, note, meta }: ListItemProps) {
  return (
    <li className="list-item">
      {choice ? <ChoosingBox {...choice} /> : null}
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
