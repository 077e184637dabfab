import { Form } from '@remix-run/react'
import {
  ArrowDown,
  ArrowLeft,
  ArrowRight,
  ArrowUp,
  ChevronsDown,
  ChevronsLeft,
  ChevronsRight,
  ChevronsUp,
  type LucideIcon,
} from 'lucide-react'
import type { Step } from './layout.ts'

const steps: [Step, string, LucideIcon][] = [
  ['left', 'Move left', ArrowLeft],
  ['up', 'Move up', ArrowUp],
  ['down', 'Move down', ArrowDown],
  ['right', 'Move right', ArrowRight],
  ['narrower', 'Narrower', ChevronsLeft],
  ['shorter', 'Shorter', ChevronsUp],
  ['taller', 'Taller', ChevronsDown],
  ['wider', 'Wider', ChevronsRight],
]

/** Buttons that move and resize a block by steps, as an alternative to dragging. Without scripts each is submitted. */
export function PlaceForm({ id, onStep }: { id: string; onStep(id: string, step: Step): void }) {
  return (
    <Form method="post" preventScrollReset className="steps" onSubmit={(event) => event.preventDefault()}>
      <input type="hidden" name="intent" value="layout" />
      <input type="hidden" name="contentId" value={id} />
      {steps.map(([step, label, Icon]) => (
        <button
          key={step}
          className="button is-icon is-small"
          name="step"
          value={step}
          aria-label={label}
          title={label}
          onClick={() => onStep(id, step)}
        >
          <Icon size={16} aria-hidden="true" />
        </button>
      ))}
    </Form>
  )
}
