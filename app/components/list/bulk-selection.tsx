import { Form } from '@remix-run/react'
import { createContext, useContext, useRef, useState, type MouseEvent, type ReactNode } from 'react'
import type { Option } from '../form/field.tsx'

/** The id of the form for the checkboxes of rows; null: no selection. */
const ChoosingForm = createContext<string | null>(null)

interface BulkSelectionProps {
  /** The review screen, which gets the selection as `id` and the action as `do`. */
  to: string
  /** The bulk actions; without any there is no selection. */
  actions: readonly Option[]
  children: ReactNode
}

const boxesIn = (list: HTMLElement | null) => [
  ...(list?.querySelectorAll<HTMLInputElement>('input[type="checkbox"][name="id"]') ?? []),
]

/**
 * A list with a selection of rows for bulk actions. Its form leads to a review first. Works without scripts; with them all of the page
 * can be selected at once, and a range with Shift.
 */
export function BulkSelection({ to, actions, children }: BulkSelectionProps) {
  const list = useRef<HTMLDivElement>(null)
  const last = useRef<HTMLInputElement | null>(null)
  const [choice, setChoice] = useState({ count: 0, isAll: false })
  if (actions.length === 0) return <>{children}</>
  const count = () => {
    const boxes = boxesIn(list.current)
    const on = boxes.filter(({ checked }) => checked).length
    setChoice({ count: on, isAll: on > 0 && on === boxes.length })
  }
  const chooseAll = (isOn: boolean) => {
    for (const box of boxesIn(list.current)) box.checked = isOn
    count()
  }
  const chooseRange = ({ target, shiftKey }: MouseEvent) => {
    const boxes = boxesIn(list.current)
    if (!(target instanceof HTMLInputElement) || !boxes.includes(target)) return
    const from = last.current && shiftKey ? boxes.indexOf(last.current) : -1
    if (from >= 0) {
      const [first = 0, end = 0] = [from, boxes.indexOf(target)].sort((a, b) => a - b)
      for (const box of boxes.slice(first, end + 1)) box.checked = target.checked
    }
    last.current = target
    count()
  }
  return (
    // What is clicked are the boxes in it: the keyboard reaches each of them.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions
    <div ref={list} onClick={chooseRange}>
      <Form
        method="get"
        action={to}
        id="choosing"
        className="choosing"
        data-idle={choice.count === 0 || undefined}
      >
        <label className="choice needs-scripts">
          <input
            type="checkbox"
            checked={choice.isAll}
            onChange={(event) => chooseAll(event.target.checked)}
            ref={(box) => {
              if (box) box.indeterminate = choice.count > 0 && !choice.isAll
            }}
          />
          All on this page
        </label>
        <span className="choosing-do">
          <span className="muted num" role="status">
            {choice.count ? `${choice.count} chosen` : ''}
          </span>
          <select name="do" aria-label="What to do with those chosen">
            {actions.map(({ value, label }) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </select>
          <button className="button is-small">Go on</button>
        </span>
      </Form>
      <ChoosingForm.Provider value="choosing">{children}</ChoosingForm.Provider>
    </div>
  )
}

/** The checkbox of a row; nothing in a list without selection. */
export function SelectionCheckbox({ id, name }: { id: string; name: string }) {
  const form = useContext(ChoosingForm)
  return form === null ? null : (
    <label className="choosing-box">
      <input type="checkbox" name="id" value={id} form={form} />
      <span className="sr-only">Choose {name}</span>
    </label>
  )
}
