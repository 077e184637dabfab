import { Form, useSubmit } from '@remix-run/react'
import type { Option } from '#app/components/form/field.tsx'

export interface RoleFormProps {
  intent: string
  id: string
  /** The person's name, for the accessible label. */
  name: string
  role: string | null
  roles: readonly Option[]
  /** Whether "No role" can be chosen. */
  mayBeNone?: boolean
}

/** The role of a person or invitation; choosing another one submits it. Without scripts there is a button. */
export function RoleForm({ intent, id, name, role, roles, mayBeNone = false }: RoleFormProps) {
  const submit = useSubmit()
  return (
    <Form
      method="post"
      className="row"
      preventScrollReset
      key={role}
      onChange={(event) => void submit(event.currentTarget, { preventScrollReset: true })}
    >
      <input type="hidden" name="id" value={id} />
      <input type="hidden" name="intent" value={intent} />
      <select name="role" aria-label={`Role of ${name}`} defaultValue={role ?? ''}>
        {mayBeNone || role === null ? <option value="">No role</option> : null}
        {roles.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
      <noscript>
        <button className="button is-small">Change</button>
      </noscript>
    </Form>
  )
}
