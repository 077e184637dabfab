import { useNavigate } from '@remix-run/react'
import { useState } from 'react'
import { formatBytes } from '#functions/shapes/format-bytes.ts'
import { parserOfName } from '#app/components/importer/parser-guess.ts'
import { UploadRefusal, uploadFile } from '#app/components/importer/send-file.ts'
import type { UploadProgress } from '#app/components/importer/use-new-file.ts'

/** Uploads a file to an existing source, then navigates to `here` with it. */
export function useUpload(sourceId: string, here: string) {
  const navigate = useNavigate()
  const [sending, setSending] = useState<UploadProgress | null>(null)
  const [error, setError] = useState<string | null>(null)
  const uploadAndOpen = async (file: File) => {
    setError(null)
    const label = `Uploading ${file.name}`
    const report = (sentBytes: number, total: number) =>
      setSending({ label, sentBytes, total, text: `${formatBytes(sentBytes)} of ${formatBytes(total)}` })
    report(0, file.size)
    try {
      const id = await uploadFile(sourceId, file, report)
      const params = new URLSearchParams({
        url: `file:${id}`,
        parser: parserOfName(file.name),
        named: file.name,
      })
      navigate(`${here}?${params.toString()}`)
    } catch (cause) {
      setError(cause instanceof UploadRefusal ? cause.message : 'It did not work. Try again.')
      setSending(null)
    }
  }
  return { sending, error, uploadAndOpen }
}
