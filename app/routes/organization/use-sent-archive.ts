import { useSubmit } from '@remix-run/react'
import { useEffect, useRef, useState, type FormEvent } from 'react'
import type { UploadProgress } from '#app/components/importer/use-new-file.ts'
import { describeUploadError, sendFile } from '#app/components/media/send-file.ts'
import { formatBytes } from '#functions/shapes/format-bytes.ts'
import { maxFileBytes } from '#functions/shapes/file.ts'

/**
 * Sends the file of a form to the person's own media library before the form is submitted, which then has its `fileId`
 * instead of `file`: the bytes go straight to storage, so they may be as many as programs may send. A file that was
 * sent once is not sent again. Without scripts the form sends the file itself.
 */
export function useSentArchive(userId: string) {
  const submit = useSubmit()
  const [sending, setSending] = useState<UploadProgress | null>(null)
  const [error, setError] = useState<string | null>(null)
  const lastUpload = useRef<{ file: File; fileId: string } | null>(null)
  const control = useRef<AbortController | null>(null)
  useEffect(() => () => control.current?.abort(), [])

  const send = async (file: File): Promise<string> => {
    if (lastUpload.current?.file === file) return lastUpload.current.fileId
    const { signal } = (control.current = new AbortController())
    const onProgress = (share: number) => {
      const [sentBytes, total] = [Math.round(share * file.size), file.size]
      const text = `${formatBytes(sentBytes)} of ${formatBytes(total)}`
      setSending({ label: `Uploading ${file.name}`, sentBytes, total, text })
    }
    onProgress(0)
    try {
      const { id } = await sendFile({ assetsId: userId, folderId: null, file, onProgress, signal })
      lastUpload.current = { file, fileId: id }
      return id
    } finally {
      control.current = null
      setSending(null)
    }
  }

  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    const { submitter } = event.nativeEvent as SubmitEvent
    const form = new FormData(event.currentTarget, submitter)
    // The input's own file, which is the same object each time; that of the form's data is another.
    const input = event.currentTarget.elements.namedItem('file') as HTMLInputElement
    const file = input.files?.[0]
    if (!file) return
    event.preventDefault()
    if (control.current) return
    setError(file.size > maxFileBytes ? `An archive may have ${formatBytes(maxFileBytes)} here.` : null)
    if (file.size > maxFileBytes) return
    form.delete('file')
    send(file).then(
      (fileId) => {
        form.set('fileId', fileId)
        submit(form, { method: 'post' })
      },
      (cause: unknown) => {
        if (cause instanceof Error && cause.name === 'AbortError') return
        setError(describeUploadError(cause))
      },
    )
  }
  return { sending, error, onSubmit }
}
