import { Link } from '@remix-run/react'
import { RichText } from '#app/components/hub/rich-text.tsx'

export interface TextCardProps {
  name: string
  /** Cleaned by the server when it was written. */
  html: string
  to: string
}

/** A text among the insights of a collection, whole. */
export function TextCard({ name, html, to }: TextCardProps) {
  return (
    <>
      <div className="card-head">
        <h2 className="card-title">
          <Link to={to}>{name}</Link>
        </h2>
      </div>
      <div className="card-body">
        {html ? <RichText html={html} /> : <p className="muted">Nothing is written here yet.</p>}
      </div>
    </>
  )
}
