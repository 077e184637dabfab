import { ListItem } from '#app/components/list/list-item.tsx'
import { Day } from '#app/components/list/time.tsx'

/** One thing that needs someone: something is broken, something should be looked at, or something is not finished. */
export interface ToDo {
  id: string
  level: 'danger' | 'warning' | 'info'
  to: string
  title: string
  note: string
  at: Date | string | null
}

const signs = {
  danger: { word: 'Broken', className: 'badge is-danger' },
  warning: { word: 'Look', className: 'badge is-warning' },
  info: { word: 'Draft', className: 'badge' },
}

/** What needs someone, in the order given: each leads to where it is put right. */
export function AttentionList({ todos }: { todos: readonly ToDo[] }) {
  return (
    <ul className="list">
      {todos.map(({ id, level, to, title, note, at }) => (
        <ListItem
          key={id}
          to={to}
          title={title}
          note={note}
          meta={
            <>
              {at ? <Day date={at} /> : null}
              <span className={signs[level].className}>{signs[level].word}</span>
            </>
          }
        />
      ))}
    </ul>
  )
}
