import { Link } from '@remix-run/react'
import { createContext, useContext, type ReactNode } from 'react'

/** Why the person was redirected from an editing screen to this one, in a sentence; null otherwise. */
export const RefusedEdit = createContext<string | null>(null)

interface Crumb {
  label: string
  to: string
}

export interface PageHeadProps {
  title: ReactNode
  /** The ancestor screens, outermost first. */
  crumbs?: Crumb[]
  /** One line under the title. */
  sub?: ReactNode
  /** Badges above the title: type and visibility. */
  badges?: ReactNode
  actions?: ReactNode
}

/** The head of a screen: breadcrumb, title, facts and actions. */
export function PageHead({ title, crumbs, sub, badges, actions }: PageHeadProps) {
  const reason = useContext(RefusedEdit)
  return (
    <>
      <header className="page-head">
        <div>
          {crumbs?.length || badges ? (
            <div className="page-over">
              {crumbs?.length ? <Crumbs crumbs={crumbs} /> : null}
              {badges}
            </div>
          ) : null}
          <h1 className="page-title">{title}</h1>
          {sub ? <p className="page-sub">{sub}</p> : null}
        </div>
        {actions ? <div className="page-actions">{actions}</div> : null}
      </header>
      {reason ? (
        <p className="notice" role="status">
          {reason}
        </p>
      ) : null}
    </>
  )
}

/** The ancestor screens as links, outermost first. */
export function Crumbs({ crumbs }: { crumbs: Crumb[] }) {
  return (
    <nav className="crumbs" aria-label="Breadcrumb">
      <ol>
        {crumbs.map((crumb) => (
          <li key={crumb.to}>
            <Link to={crumb.to}>{crumb.label}</Link>
          </li>
        ))}
      </ol>
    </nav>
  )
}
