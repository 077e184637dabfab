import { Link } from '@remix-run/react'
import type { ReactNode } from 'react'

export interface PreviewFrameProps {
  /** The link back to the editor; null for readers. */
  backTo: string | null
  /** The non-public parts that are left out. `name` null: deleted, or not visible to the person. */
  hiddenParts: readonly { type: 'insight' | 'source'; id: string; name: string | null }[]
  children: ReactNode
}

/** The preview of a page in the workspace: as wide as on a hub, without the hub's frame. */
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
