import { useState } from 'react'
import { EditForm, type FormBodyProps } from '#app/components/form/edit-form.tsx'

interface PartFormProps extends Pick<FormBodyProps, 'names' | 'saved' | 'place' | 'children'> {
  /** Which part, as its draft and its action are named. */
  part: 'theme' | 'map'
  title: string
  version: number
  /** What stands on the button. */
  label: string
}

/** A part of the organization with a picture of what would be saved; it says while it is not. The form of names asks for all. */
export function PartForm({ part, label, ...form }: PartFormProps) {
  const [isUnsaved, setUnsaved] = useState(false)
  return (
    <EditForm
      {...form}
      thing={part === 'theme' ? 'organization/look' : 'organization/map'}
      className="form is-wide"
      preventScrollReset
      asks={false}
      onUnsaved={setUnsaved}
      save={{ intent: part, label, doing: 'Saving…' }}
      note={isUnsaved ? <span className="muted">Not saved yet</span> : null}
    />
  )
}
