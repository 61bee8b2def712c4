declare module '*.md' {
  const text: string;
  export default text;
}

/** The text of a script that runs in another process. */
declare module '*.child.cjs' {
  const text: string;
  export default text;
}
