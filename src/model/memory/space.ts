/**
 * Space: one store, of a project or of the person.
 *
 * A project is known by the real path of its git directory, or of its folder where
 * there is no git. Remote and first commit recognise it again after a move.
 */
export interface Space {
  id: string;
  /** The real path that names the project: the git common directory, else the folder. */
  key: string;
  root: string;
  remote: string | null;
  firstCommit: string | null;
  createdAt: number;
}
