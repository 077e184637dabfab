import { Form } from '@remix-run/react'
import { FileDrop } from '#app/components/importer/file-drop.tsx'
import { ProgressLine } from '#app/components/importer/progress-line.tsx'
import type { useUpload } from './use-upload.ts'

interface UploadFormProps {
  title: string
  hint: string
  upload: ReturnType<typeof useUpload>
}

/** Uploads a file, with progress and errors; without scripts a form with a button. */
export function UploadForm({ title, hint, upload }: UploadFormProps) {
  return (
    <>
      <Form method="post" encType="multipart/form-data" className="stack">
        <FileDrop name="file" title={title} hint={hint} onFile={(file) => void upload.uploadAndOpen(file)} />
        <noscript>
          <button className="button" name="intent" value="upload">
            Upload
          </button>
        </noscript>
      </Form>
      {upload.sending ? (
        <ProgressLine {...upload.sending} value={upload.sending.sentBytes} max={upload.sending.total} />
      ) : null}
      {upload.error ? (
        <p className="notice is-danger" role="alert">
          {upload.error}
        </p>
      ) : null}
    </>
  )
}
