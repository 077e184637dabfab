import { Form, Link } from '@remix-run/react'
import { GripVertical } from 'lucide-react'
import { Button, GridList, GridListItem, useDragAndDrop } from 'react-aria-components'
import { droppedAt, stepped } from './arrange.ts'
import type { Order } from './use-order.ts'
import { ConfirmButton } from '../form/confirm-button.tsx'

export interface ArrangeListProps {
  /** A text is in this list alone: taken out of it, it is deleted. */
  items: { id: string; kind: 'insight' | 'text'; name: string; type: string; to: string }[]
  /** What is arranged, for its name. */
  label: string
  order: Order
}

/**
 * A list whose order people change: by drag, by keyboard (Enter on the handle, arrows, Enter), or by the buttons, which
 * work without scripts. Each change is one form: `arrange` with the whole order, `move`, `remove` or `delete` with one id.
 */
export function ArrangeList({ items, label, order: { wanted, arrange } }: ArrangeListProps) {
  const ids = wanted ?? items.map(({ id }) => id)
  const shown = ids.flatMap((id) => items.find((item) => item.id === id) ?? [])
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
      items={shown}
      dependencies={[ids.join()]}
      dragAndDropHooks={dragAndDropHooks}
      selectionMode="none"
      keyboardNavigationBehavior="tab"
    >
      {({ id, kind, name, type, to }) => (
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
            <input type="hidden" name="item" value={id} />
            {(['up', 'down'] as const).map((step) => (
              <Step
                key={step}
                step={step}
                name={name}
                isLast={ids.at(step === 'up' ? 0 : -1) === id}
                onStep={() => arrange(stepped(ids, id, step))}
              />
            ))}
            {kind === 'text' ? (
              <ConfirmButton
                intent="delete"
                className="button is-small"
                question={`Delete ${name}?`}
                text="It is in no other collection."
                answer="Delete"
              >
                Delete<span className="sr-only"> {name}</span>
              </ConfirmButton>
            ) : (
              <button className="button is-small" name="intent" value="remove">
                Remove<span className="sr-only"> {name}</span>
              </button>
            )}
          </Form>
        </GridListItem>
      )}
    </GridList>
  )
}

interface StepProps {
  step: 'up' | 'down'
  name: string
  isLast: boolean
  onStep(): void
}

/** Without scripts it sends its form. */
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
