import { Form, Link } from '@remix-run/react'
import { useRef } from 'react'
import { TextField } from '../form/field.tsx'
import { FormError } from '../form/form-error.tsx'
import type { Refused } from '../form/issues.ts'
import { LeaveDialog } from '../form/leave-dialog.tsx'
import { RichField } from '../form/rich-field.tsx'
import { SubmitButton } from '../form/submit-button.tsx'
import { useUnsaved } from '../form/use-unsaved.ts'

export interface CollectionTextFormProps {
  /** `version` is null where it is to be made. */
  saved: { title: string; html: string; version: number | null }
  /** What was sent when it was refused. */
  given: Record<string, string> | undefined
  refused: Refused | undefined
  /** The collection, to which it leads back. */
  collection: { id: string; name: string }
}

/** Where a text of a collection is written, as it will be read. Unsaved words are not left behind unasked. */
export function CollectionTextForm({ saved, given, refused, collection }: CollectionTextFormProps) {
  const form = useRef<HTMLFormElement>(null)
  const { isUnsaved, mark } = useUnsaved(form)
  const isNew = saved.version === null
  return (
    <Form method="post" className="form is-wide" ref={form} preventScrollReset>
      {isNew ? null : <input type="hidden" name="version" value={saved.version ?? ''} />}
      <FormError refused={refused} names={['title', 'html']} />
      <TextField
        label="Title"
        name="title"
        required
        maxLength={200}
        autoFocus={isNew}
        defaultValue={given?.title ?? saved.title}
        refused={refused}
      />
      <RichField
        label="Text"
        name="html"
        html={given?.html ?? saved.html}
        refused={refused}
        onChange={mark}
      />
      <div className="form-actions">
        <SubmitButton intent={isNew ? 'create' : 'save'} doing="Saving…">
          {isNew ? 'Add the text' : 'Save'}
        </SubmitButton>
        <Link className="button" to={`/collections/${collection.id}`}>
          {isNew ? 'Cancel' : `Back to ${collection.name}`}
        </Link>
      </div>
      <LeaveDialog isUnsaved={isUnsaved} />
    </Form>
  )
}
