import { Link } from '@remix-run/react'
import type { ReactNode } from 'react'

/** A card of a collection, whose name links to its screen. */
export function EntryCard({ name, to, children }: { name: string; to: string; children: ReactNode }) {
  return (
    <>
      <div className="card-head">
        <h2 className="card-title">
          <Link to={to}>{name}</Link>
        </h2>
      </div>
      <div className="card-body">{children}</div>
    </>
  )
}
