import { useState } from 'react'
import { EditForm, type FormBodyProps } from '#app/components/form/edit-form.tsx'

interface PartFormProps extends Pick<FormBodyProps, 'names' | 'saved' | 'place' | 'children'> {
  /** The section, as its draft and its action are named. */
  part: 'theme' | 'map'
  title: string
  version: number
  /** The label of the button. */
  label: string
}

/** A section of the organization's settings with a preview, and a note while there are unsaved changes. The names section asks for all. */
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
