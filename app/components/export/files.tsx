import type { ReactNode } from 'react'
import { CopyButton } from '../form/copy-button.tsx'
import { Count } from '../list/time.tsx'
import type { Loss } from '#functions/shapes/export-losses.ts'
import { lossText } from '../hub/loss-text.ts'
import { formatUses } from '../schema/export-size.ts'

interface OfferedFile {
  format: keyof typeof formatUses
  label: string
  /** Formatted; null for compressed files, whose size is unknown. */
  size: string | null
  /** The URL for programs, and the one on this host. */
  url: string
  href: string
  /** What the format cannot represent. */
  losses: Loss[]
}

/** The downloads with their URLs. `unavailableNote`: what is not public; absent if everything is. */
export function Files({
  rows,
  files,
  unavailableNote,
}: {
  rows: number
  files: OfferedFile[]
  unavailableNote?: ReactNode
}) {
  return (
    <section className="stack" aria-labelledby="files">
      <h2 id="files">
        <Count n={rows} /> {rows === 1 ? 'record' : 'records'}
      </h2>
      {unavailableNote ? (
        <p className="notice is-warning">
          {unavailableNote}: these addresses work here while you are signed in, and elsewhere with an account
          key in the header <code>authorization</code>.
        </p>
      ) : null}
      <ul className="list">
        {files.map(({ format, label, size, url, href, losses }) => (
          <li key={format} className="list-item">
            <div className="list-main">
              <p className="list-title">{label}</p>
              <p className="list-note">{formatUses[format].note}</p>
              {losses.length > 0 ? <p className="list-note">{lossText(losses, 'en')}</p> : null}
            </div>
            <div className="list-meta">
              <span>{size === null ? 'packed' : `about ${size}`}</span>
            </div>
            <div className="list-actions">
              <a className="button is-small" href={href} download>
                Download<span className="sr-only"> {label}</span>
              </a>
              <CopyButton text={url} what={`the address of ${label}`} />
            </div>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** The request with which a program gets the records. */
export function ProgramCall({
  api,
  isPublic,
  children,
}: {
  api: string
  isPublic: boolean
  children?: ReactNode
}) {
  const call = `curl '${api}'${isPublic ? '' : " \\\n  -H 'authorization: Bearer YOUR_ACCOUNT_KEY'"}`
  return (
    <section className="stack" aria-labelledby="programs">
      <h2 id="programs">From a program</h2>
      <pre className="code" tabIndex={0}>
        <code>{call}</code>
      </pre>
      <CopyButton text={call} what="the call" />
      {children}
    </section>
  )
}

/** Checkboxes for the columns of a file; open if some are excluded. */
export function ColumnChoice({ fields }: { fields: { key: string; name: string; isChosen: boolean }[] }) {
  const choiceCount = fields.filter(({ isChosen }) => isChosen).length
  return (
    <details className="disclosure" open={choiceCount < fields.length}>
      <summary>
        Columns: {choiceCount} of {fields.length}
      </summary>
      <div className="columns-choice">
        {fields.map(({ key, name, isChosen }) => (
          <label key={key} className="choice">
            <input type="checkbox" name="fields" value={key} defaultChecked={isChosen} />
            {name}
          </label>
        ))}
      </div>
    </details>
  )
}
