import { fileName, shownIn } from './file-names.ts'

/** What the file is of that says, beside a frame of a figure, what its picture is made from. */
export const frameSubject = 'subject of a frame'

/** The name of that file among those of a frame's page; null where it has none, as the frame of a number. */
export async function subjectIn({ files }: { files: readonly string[] }): Promise<string | null> {
  const sign = shownIn(await fileName('application/json', '', frameSubject))
  return files.find((name) => shownIn(name) === sign) ?? null
}
