import { fileName, findSubjectHash } from './file-names.ts'

/** The kind of the file next to an embedded figure that contains the data of its picture. */
export const frameSubject = 'subject of a frame'

/** The name of that file among the files of an embedded figure's page; null where there is none, as for a number. */
export async function subjectIn({ files }: { files: readonly string[] }): Promise<string | null> {
  const sign = findSubjectHash(await fileName('application/json', '', frameSubject))
  return files.find((name) => findSubjectHash(name) === sign) ?? null
}
