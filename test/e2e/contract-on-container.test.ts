import { describeContractOn } from "./contract-suites.ts";

describeContractOn("container");
