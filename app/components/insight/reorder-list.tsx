import { Form, Link } from '@remix-run/react'
import { GripVertical } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button, GridList, GridListItem, useDragAndDrop } from 'react-aria-components'
import { droppedAt, stepId } from './reorder.ts'
import type { Order } from './use-order.ts'

export interface ReorderListProps<Item extends ArrangeItem = ArrangeItem> {
  items: Item[]
  /** The accessible name of the list. */
  label: string
  order: Order
  /** Further actions of an item: buttons of its form, which submits its id as `item`. */
  actions?(item: Item): ReactNode
}

interface ArrangeItem {
  id: string
  name: string
  /** Its type in a word. */
  type?: string
  /** A note about it. */
  note?: string
  /** The link of its name. */
  to?: string
}

/**
 * A sortable list: by drag and drop, by keyboard (Enter on the handle, arrows, Enter), or by buttons that work without scripts. Each
 * change is one form: `arrange` with the whole order, `move.up` and `move.down` with one id.
 */
export function ReorderList<Item extends ArrangeItem>({
  items,
  label,
  order: { order, arrange },
  actions,
}: ReorderListProps<Item>) {
  const ids = order ?? items.map(({ id }) => id)
  const arrangedItems = ids.flatMap((id) => items.find((item) => item.id === id) ?? [])
  const { dragAndDropHooks } = useDragAndDrop({
    getItems: (keys) => [...keys].map((key) => ({ 'text/plain': String(key) })),
    onReorder({ keys, target }) {
      if (target.dropPosition === 'on') return
      const beside = { id: String(target.key), where: target.dropPosition }
      arrange(droppedAt(ids, new Set([...keys].map(String)), beside))
    },
  })
  return (
    <GridList
      className="list arrange"
      aria-label={label}
      items={arrangedItems}
      dependencies={[ids.join()]}
      dragAndDropHooks={dragAndDropHooks}
      selectionMode="none"
      keyboardNavigationBehavior="tab"
    >
      {(item) => {
        const { id, name, type, note, to } = item
        return (
          <GridListItem className="list-item" textValue={name} id={id}>
            <Button
              slot="drag"
              className="button is-quiet is-icon is-small needs-scripts"
              aria-label={`Move ${name}`}
            >
              <GripVertical size={16} aria-hidden="true" />
            </Button>
            <div className="list-main list-plain">
              {to ? <Link to={to}>{name}</Link> : <span>{name}</span>}
              {note ? <p className="list-note">{note}</p> : null}
            </div>
            {type ? <span className="badge">{type}</span> : null}
            <Form method="post" className="button-group" preventScrollReset>
              <input type="hidden" name="item" value={id} />
              {(['up', 'down'] as const).map((step) => (
                <Step
                  key={step}
                  step={step}
                  name={name}
                  isLast={ids.at(step === 'up' ? 0 : -1) === id}
                  onStep={() => arrange(stepId(ids, id, step))}
                />
              ))}
              {actions?.(item)}
            </Form>
          </GridListItem>
        )
      }}
    </GridList>
  )
}

interface StepProps {
  step: 'up' | 'down'
  name: string
  isLast: boolean
  onStep(): void
}

/** Without scripts it submits its form. */
function Step({ step, name, isLast, onStep }: StepProps) {
  return (
    <button
      className="button is-small"
      name="intent"
      value={`move.${step}`}
      disabled={isLast}
      onClick={(event) => {
        event.preventDefault()
        onStep()
      }}
    >
      {step === 'up' ? 'Up' : 'Down'}
      <span className="sr-only"> {name}</span>
    </button>
  )
}
