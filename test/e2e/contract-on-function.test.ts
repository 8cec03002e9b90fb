import { describeContractOn } from "./contract-suites.ts";

describeContractOn("function-image");
