import { Link } from '@remix-run/react'
import { Day } from '#app/components/list/time.tsx'

/** An item that needs attention: broken, to be reviewed, or unfinished. */
export interface ToDo {
  id: string
  level: 'danger' | 'warning' | 'info'
  title: string
  note: string
  /** The link to fix it, and its label. */
  to: string
  action: string
  at: Date | string | null
}

const signs = {
  danger: { word: 'Broken', className: 'badge is-danger' },
  warning: { word: 'Look', className: 'badge is-warning' },
  info: { word: 'Waits', className: 'badge' },
}

/** Items that need attention in order, each with one action. */
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
