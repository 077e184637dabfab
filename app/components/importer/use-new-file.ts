import { useRef, useState } from 'react'
import {
  UploadRefusal,
  confirmFile,
  needsUpload,
  requireReadable,
  tryFile,
  uploadAhead,
  uploadFile,
} from './send-file.ts'
import { formatBytes } from '#functions/shapes/format-bytes.ts'
import {
  parserNamed,
  parserOfName,
  buildImporterSource,
  tryBetter,
  unsaid,
  type Reading,
} from './parser-guess.ts'
import type { TrialResult } from './trial.ts'

/** A chosen file and its reading options. */
interface ChosenFile extends Reading {
  file: File
}

/** A running upload and its progress. */
export interface UploadProgress {
  label: string
  sentBytes: number
  total: number
  text: string
}

const describeUploadError = (error: unknown) =>
  error instanceof UploadRefusal
    ? error.message
    : 'It did not work. Try again, or add the file to a source by its page.'

/**
 * A file for a source that does not exist yet: tried when chosen, uploaded once the source exists. One that is needed whole for the
 * trial and too large for a form is uploaded before, once.
 */
export function useNewFile(placeId: string) {
  const [chosenFile, setChosenFile] = useState<ChosenFile | null>(null)
  const [trialResult, setTrialResult] = useState<TrialResult | null>(null)
  const [sending, setSending] = useState<UploadProgress | null>(null)
  const [error, setError] = useState<string | null>(null)
  const turn = useRef(0)
  const ahead = useRef<{ file: File; fileId: string } | null>(null)
  const progress = (label: string) => (sentBytes: number, total: number) =>
    setSending({ label, sentBytes, total, text: `${formatBytes(sentBytes)} of ${formatBytes(total)}` })

  const uploadedId = async ({ file, parser }: ChosenFile) => {
    requireReadable(file, parser)
    if (ahead.current?.file === file) return ahead.current.fileId
    if (!needsUpload(file, parser)) return null
    const fileId = await uploadAhead(placeId, file, progress(`Uploading ${file.name}`))
    ahead.current = { file, fileId }
    progress(`Looking at ${file.name}`)(file.size, file.size)
    return fileId
  }

  const inspectFile = async (request: ChosenFile) => {
    const { file } = request
    const ownTurn = (turn.current += 1)
    setChosenFile(request)
    setError(null)
    progress(`Looking at ${file.name}`)(0, file.size)
    try {
      const fileId = await uploadedId(request)
      if (turn.current !== ownTurn) return
      const result = await tryChosenFile(placeId, request, fileId, progress(`Looking at ${file.name}`))
      if (turn.current !== ownTurn) return
      setChosenFile({ ...request, ...result.reading })
      setTrialResult(result.tried)
    } catch (cause) {
      if (turn.current === ownTurn) setError(describeUploadError(cause))
    }
    if (turn.current === ownTurn) setSending(null)
  }

  return {
    ...{ chosenFile, trialResult, sending, error },
    chooseFile: (file: File) => inspectFile({ file, parser: parserOfName(file.name), ...unsaid }),
    readAs: (parser: string) =>
      chosenFile &&
      inspectFile({ ...chosenFile, parser: parserNamed(parser) ?? chosenFile.parser, ...unsaid }),
    readZip: (zip: string) => chosenFile && inspectFile({ ...chosenFile, ...unsaid, zip }),
    selectRows: (selector: string) =>
      chosenFile && inspectFile({ ...chosenFile, ...unsaid, zip: chosenFile.zip, selector }),
    readHeader: (headerRows: string) => chosenFile && inspectFile({ ...chosenFile, headerRows }),
    omitRows: (leaveOut: string) => chosenFile && inspectFile({ ...chosenFile, leaveOut }),
    reset() {
      turn.current += 1
      setChosenFile(null)
      setTrialResult(null)
      setSending(null)
      setError(null)
    },
    /** The id of the uploaded file; null if it was rejected, with the reason in `error`. */
    async upload(sourceId: string): Promise<string | null> {
      if (!chosenFile) return null
      setError(null)
      try {
        const { file } = chosenFile
        if (ahead.current?.file === file) return await confirmFile(sourceId, ahead.current.fileId)
        return await uploadFile(sourceId, file, progress(`Uploading ${file.name}`))
      } catch (cause) {
        // It may be gone: the next attempt sends it again.
        ahead.current = null
        setError(describeUploadError(cause))
        setSending(null)
        return null
      }
    },
  }
}

/** Tries a file, again where it shows that it is to be read otherwise. */
function tryChosenFile(
  placeId: string,
  { file, ...reading }: ChosenFile,
  fileId: string | null,
  progress: (sentBytes: number, total: number) => void,
) {
  return tryBetter(
    reading,
    ({ parser, ...at }) =>
      tryFile(placeId, file, buildImporterSource('file:sent', parser, at), { parser, fileId, progress }),
    (trial) => trial,
  )
}
