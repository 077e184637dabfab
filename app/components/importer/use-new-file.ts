import { useRef, useState } from 'react'
import { UploadRefusal, tryFile, uploadFile } from './send-file.ts'
import { bytesWords } from '#functions/shapes/bytesWords.ts'
import { betterReadAt, parserNamed, parserOfName, sourceOf, type ReadAt } from './parser-guess.ts'
import type { TrialResult } from './trial.ts'
import type { ParserName } from '#functions/shapes/parser/index.ts'

/** A chosen file and its reading options. */
interface ChosenFile extends ReadAt {
  file: File
  parser: ParserName
}

const unsaid: ReadAt = { selector: '', headerRows: '', leaveOut: '' }

/** A running upload and its progress. */
export interface UploadProgress {
  label: string
  sentBytes: number
  total: number
  text: string
}

const sentenceOf = (error: unknown) =>
  error instanceof UploadRefusal
    ? error.message
    : 'It did not work. Try again, or add the file to a source by its page.'

/** A file for a source that does not exist yet: tried when chosen, uploaded once the source exists. */
export function useNewFile(placeId: string) {
  const [chosenFile, setChosenFile] = useState<ChosenFile | null>(null)
  const [trialResult, setTrialResult] = useState<TrialResult | null>(null)
  const [sending, setSending] = useState<UploadProgress | null>(null)
  const [error, setError] = useState<string | null>(null)
  const turn = useRef(0)
  const progress = (label: string) => (sentBytes: number, total: number) =>
    setSending({ label, sentBytes, total, text: `${bytesWords(sentBytes)} of ${bytesWords(total)}` })

  const look = async (request: ChosenFile) => {
    const { file } = request
    const ownTurn = (turn.current += 1)
    setChosenFile(request)
    setError(null)
    progress(`Looking at ${file.name}`)(0, file.size)
    try {
      const result = await firstRows(placeId, request, progress(`Looking at ${file.name}`))
      if (turn.current !== ownTurn) return
      setChosenFile({ ...request, ...result.at })
      setTrialResult(result.trialResult)
    } catch (cause) {
      if (turn.current === ownTurn) setError(sentenceOf(cause))
    }
    if (turn.current === ownTurn) setSending(null)
  }

  return {
    ...{ chosenFile, trialResult, sending, error },
    take: (file: File) => look({ file, parser: parserOfName(file.name), ...unsaid }),
    readAs: (parser: string) =>
      chosenFile && look({ ...chosenFile, parser: parserNamed(parser) ?? chosenFile.parser, ...unsaid }),
    selectRows: (selector: string) => chosenFile && look({ ...chosenFile, ...unsaid, selector }),
    readHeader: (headerRows: string) => chosenFile && look({ ...chosenFile, headerRows }),
    leaveOut: (leaveOut: string) => chosenFile && look({ ...chosenFile, leaveOut }),
    leave() {
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
        return await uploadFile(sourceId, chosenFile.file, progress(`Uploading ${chosenFile.file.name}`))
      } catch (cause) {
        setError(sentenceOf(cause))
        setSending(null)
        return null
      }
    },
  }
}

/** Tries again with the detected selector and header if these differ from the defaults. */
async function firstRows(
  placeId: string,
  { file, parser, ...reading }: ChosenFile,
  progress: (sentBytes: number, total: number) => void,
): Promise<{ trialResult: TrialResult; at: ReadAt }> {
  const attempt = async (at: ReadAt) => {
    const trial = await tryFile(placeId, file, sourceOf('file:sent', parser, at), parser, progress)
    return { trialResult: trial, at }
  }
  const first = await attempt(reading)
  const better = betterReadAt(reading, first.trialResult)
  if (better === null) return first
  const next = await attempt(better)
  const isShown = first.trialResult.lists.length > 0 || first.trialResult.grids.some((grid) => grid !== null)
  const isBetter = isShown
    ? next.trialResult.rows.length > 0
    : next.trialResult.rows.length > first.trialResult.rows.length
  return isBetter ? next : first
}
