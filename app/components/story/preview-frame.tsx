import { Link } from '@remix-run/react'
import type { ReactNode } from 'react'

export interface PreviewFrameProps {
  /** Where whoever writes the page came from; null for who may only read. */
  backTo: string | null
  children: ReactNode
}

/** A page in the workspace as its readers will see it: as wide as on a hub, without a hub around it. */
export function PreviewFrame({ backTo, children }: PreviewFrameProps) {
  return (
    <div className="hub">
      <header className="hub-header">
        <div className="hub-header-row">
          <span>As readers see it</span>
          {backTo ? <Link to={backTo}>Back to the page</Link> : null}
        </div>
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
