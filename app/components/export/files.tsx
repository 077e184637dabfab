import type { ReactNode } from 'react'
import { CopyButton } from '../form/copy-button.tsx'
import { Count } from '../list/time.tsx'
import type { Loss } from '#functions/shapes/exportLosses.ts'
import { lossText } from '../hub/loss-text.ts'
import { formatUses } from '../schema/export-size.ts'

interface OfferedFile {
  format: keyof typeof formatUses
  label: string
  /** In words; null where it is packed, and nothing can be said. */
  size: string | null
  /** The address for programs, and the one of this host. */
  url: string
  href: string
  /** What it cannot hold as it is. */
  losses: Loss[]
}

/** The records as files, each with its address. `unavailableNote`: what of it is not public; nothing where all of it is. */
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

/** The call that a program makes for the records. */
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

/** Which columns a file has, as boxes to tick; open where some are left out. */
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
