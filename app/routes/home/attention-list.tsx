import { Link } from '@remix-run/react'
import { Day } from '#app/components/list/time.tsx'

/** One thing that needs someone: something is broken, something should be looked at, or something is not finished. */
export interface ToDo {
  id: string
  level: 'danger' | 'warning' | 'info'
  title: string
  note: string
  /** Where it is put right, and what is done there. */
  to: string
  action: string
  at: Date | string | null
}

const signs = {
  danger: { word: 'Broken', className: 'badge is-danger' },
  warning: { word: 'Look', className: 'badge is-warning' },
  info: { word: 'Waits', className: 'badge' },
}

/** What needs someone, in the order given: each with the one thing to do about it. */
export function AttentionList({ todos }: { todos: readonly ToDo[] }) {
  return (
    <ul className="list">
      {todos.map(({ id, level, to, title, note, action, at }) => (
        <li key={id} className="list-item">
          <div className="list-main">
            <p className="list-title">
              <span className={signs[level].className}>{signs[level].word}</span> {title}
            </p>
            <p className="list-note">{note}</p>
          </div>
          <div className="list-meta">
            {at ? <Day date={at} /> : null}
            <Link className="button is-small" to={to} aria-label={`${action}: ${title}`}>
              {action}
            </Link>
          </div>
        </li>
      ))}
    </ul>
  )
}
