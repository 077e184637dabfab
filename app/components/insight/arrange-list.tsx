import { Form, Link, useFetcher } from '@remix-run/react'
import { GripVertical } from 'lucide-react'
import { useState } from 'react'
import { Button, GridList, GridListItem, useDragAndDrop } from 'react-aria-components'
import { droppedAt } from './arrange.ts'

export interface ArrangeListProps {
  items: { id: string; name: string; type: string; to: string }[]
  /** What is arranged, for its name. */
  label: string
}

/**
 * A list whose order people change: by drag, by keyboard (Enter on the handle, arrows, Enter), or by the buttons, which
 * work without scripts. Each change is one form: `arrange` with the whole order, `move` or `remove` with one id.
 */
export function ArrangeList({ items, label }: ArrangeListProps) {
  const fetcher = useFetcher()
  const [dropped, setDropped] = useState<string[] | null>(null)
  const wanted = fetcher.state === 'idle' ? null : dropped
  const ids = wanted ?? items.map(({ id }) => id)
  const shown = ids.flatMap((id) => items.find((item) => item.id === id) ?? [])
  const { dragAndDropHooks } = useDragAndDrop({
    getItems: (keys) => [...keys].map((key) => ({ 'text/plain': String(key) })),
    onReorder({ keys, target }) {
      if (target.dropPosition === 'on') return
      const order = droppedAt(ids, new Set([...keys].map(String)), {
        id: String(target.key),
        where: target.dropPosition,
      })
      setDropped(order)
      void fetcher.submit({ intent: 'arrange', order: order.join(',') }, { method: 'post' })
    },
  })
  return (
    <GridList
      className="list arrange"
      aria-label={label}
      items={shown}
      dependencies={[ids.join()]}
      dragAndDropHooks={dragAndDropHooks}
      selectionMode="none"
      keyboardNavigationBehavior="tab"
    >
      {({ id, name, type, to }) => (
        <GridListItem className="list-item" textValue={name} id={id}>
          <Button
            slot="drag"
            className="button is-quiet is-icon is-small needs-scripts"
            aria-label={`Move ${name}`}
          >
            <GripVertical size={16} aria-hidden="true" />
          </Button>
          <span className="list-main list-plain">
            <Link to={to}>{name}</Link>
          </span>
          <span className="badge">{type}</span>
          <Form method="post" className="button-group" preventScrollReset>
            <input type="hidden" name="insightId" value={id} />
            <Step step="up" name={name} isLast={ids[0] === id} />
            <Step step="down" name={name} isLast={ids.at(-1) === id} />
            <button className="button is-small" name="intent" value="remove">
              Remove<span className="sr-only"> {name}</span>
            </button>
          </Form>
        </GridListItem>
      )}
    </GridList>
  )
}

function Step({ step, name, isLast }: { step: 'up' | 'down'; name: string; isLast: boolean }) {
  return (
    <button className="button is-small" name="intent" value={`move.${step}`} disabled={isLast}>
      {step === 'up' ? 'Up' : 'Down'}
      <span className="sr-only"> {name}</span>
    </button>
  )
}
