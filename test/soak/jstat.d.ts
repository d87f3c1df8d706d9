// The part of jstat that the soak test uses; the package has no types.
declare module 'jstat' {
  const jStat: {
    readonly studentt: {
      /** Quantile of Student's t distribution with `dof` degrees of freedom at probability `p`. */
      inv(p: number, dof: number): number;
    };
  };
  export default jStat;
}
