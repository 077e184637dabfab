import { Form } from '@remix-run/react'
import type { FormEvent, ReactNode } from 'react'
import type { EditorBlock } from './blocks.ts'

/** The form of a block for pages without scripts; with them it is saved separately. */
export function BlockForm({
  block,
  onSave,
  children,
}: {
  block: EditorBlock
  onSave(): void
  children: ReactNode
}) {
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onSave()
  }
  return (
    <Form method="post" className="block-form" preventScrollReset onSubmit={submit}>
      <input type="hidden" name="contentId" value={block.id} />
      <input type="hidden" name="kind" value={block.kind} />
      <input type="hidden" name="version" value={block.version} />
      {children}
    </Form>
  )
}
