import { Link } from '@remix-run/react'
import type { ReactNode } from 'react'

export interface PreviewFrameProps {
  /** Where whoever writes the page came from; null for who may only read. */
  backTo: string | null
  /** What is left out, since not everyone may see it. `name` null: it is not there, or nobody here may see it. */
  hiddenParts: readonly { type: 'insight' | 'source'; id: string; name: string | null }[]
  children: ReactNode
}

/** A page in the workspace as its readers will see it: as wide as on a hub, without a hub around it. */
export function PreviewFrame({ backTo, hiddenParts, children }: PreviewFrameProps) {
  return (
    <div className="hub">
      <header className="hub-header">
        <div className="hub-header-row">
          <span>As readers see it</span>
          {backTo ? <Link to={backTo}>Back to the page</Link> : null}
        </div>
        {hiddenParts.length ? (
          <div className="hub-header-row">
            <p>
              Left out for readers, since not everyone may see it:{' '}
              {hiddenParts.map(({ type, id, name }, i) => (
                <span key={`${type} ${id}`}>
                  {i ? ', ' : ''}
                  {name === null ? (
                    `${type} ${id}, not there any more`
                  ) : (
                    <Link to={`/${type}s/${id}`}>{name}</Link>
                  )}
                </span>
              ))}
              .
            </p>
          </div>
        ) : null}
      </header>
      <div className="hub-body">
        <div className="hub-sidebar" />
        <main className="hub-main" id="content" tabIndex={-1}>
          {children}
        </main>
      </div>
    </div>
  )
}
