import { useRef, useState } from 'react'
import { Refused, tryFile, uploadFile } from './send-file.ts'
import { bytesWords } from '#functions/shapes/bytesWords.ts'
import { betterReadAt, parserNamed, parserOfName, sourceOf, type ReadAt } from './parser-guess.ts'
import type { TrialResult } from './tried.ts'
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
  sent: number
  total: number
  text: string
}

const sentenceOf = (error: unknown) =>
  error instanceof Refused
    ? error.message
    : 'It did not work. Try again, or add the file to a source by its page.'

/** A file for a source that does not exist yet: tried when chosen, uploaded once the source exists. */
export function useNewFile(placeId: string) {
  const [chosen, setChosen] = useState<ChosenFile | null>(null)
  const [tried, setTried] = useState<TrialResult | null>(null)
  const [sending, setSending] = useState<UploadProgress | null>(null)
  const [error, setError] = useState<string | null>(null)
  const turn = useRef(0)
  const progress = (label: string) => (sentBytes: number, total: number) =>
    setSending({ label, sent: sentBytes, total, text: `${bytesWords(sentBytes)} of ${bytesWords(total)}` })

  const look = async (request: ChosenFile) => {
    const { file } = request
    const ownTurn = (turn.current += 1)
    setChosen(request)
    setError(null)
    progress(`Looking at ${file.name}`)(0, file.size)
    try {
      const result = await firstRows(placeId, request, progress(`Looking at ${file.name}`))
      if (turn.current !== ownTurn) return
      setChosen({ ...request, ...result.at })
      setTried(result.tried)
    } catch (cause) {
      if (turn.current === ownTurn) setError(sentenceOf(cause))
    }
    if (turn.current === ownTurn) setSending(null)
  }

  return {
    ...{ chosen, tried, sending, error },
    take: (file: File) => look({ file, parser: parserOfName(file.name), ...unsaid }),
    readAs: (parser: string) =>
      chosen && look({ ...chosen, parser: parserNamed(parser) ?? chosen.parser, ...unsaid }),
    selectRows: (selector: string) => chosen && look({ ...chosen, ...unsaid, selector }),
    readHeader: (headerRows: string) => chosen && look({ ...chosen, headerRows }),
    leaveOut: (leaveOut: string) => chosen && look({ ...chosen, leaveOut }),
    leave() {
      turn.current += 1
      setChosen(null)
      setTried(null)
      setSending(null)
      setError(null)
    },
    /** The id of the uploaded file; null if it was rejected, with the reason in `error`. */
    async upload(sourceId: string): Promise<string | null> {
      if (!chosen) return null
      setError(null)
      try {
        return await uploadFile(sourceId, chosen.file, progress(`Uploading ${chosen.file.name}`))
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
): Promise<{ tried: TrialResult; at: ReadAt }> {
  const attempt = async (at: ReadAt) => {
    const trial = await tryFile(placeId, file, sourceOf('file:sent', parser, at), parser, progress)
    return { tried: trial, at }
  }
  const first = await attempt(reading)
  const better = betterReadAt(reading, first.tried)
  if (better === null) return first
  const next = await attempt(better)
  const isShown = first.tried.lists.length > 0 || first.tried.grids.some((grid) => grid !== null)
  const isBetter = isShown ? next.tried.rows.length > 0 : next.tried.rows.length > first.tried.rows.length
  return isBetter ? next : first
}
